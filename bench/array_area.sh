#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Area and clock of the 8x8 int8 arrays that docs/tensor_array.md lists: bench/array_area.sh [WEFT]
set -euo pipefail
weft=${1:-$(dirname "$0")/../weft}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() {  # measure NAME LINE...
  local name=$1
  shift
  printf '%s\n' 'kind: tensor_array' "name: $name" 'rows: 8' 'cols: 8' 'accumulator_width: 32' "$@" > "$work/$name.yaml"
  "$weft" synth "$work/$name.yaml" --out "$work/$name" --json "$work/$name.json" > "$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 3; }
  python3 - "$name" "$work/$name.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[2]))
print(f"{sys.argv[1]:24} {r['area_per_mac_um2']:10.0f} um2/MAC {r['critical_path_ns']:7.2f} ns")
PY
}

measure ws
measure ws_multiplier_stage 'multiplier_stages: 1'
measure os 'dataflow: output_stationary' 'stationary_buffers: 1'
measure os_double 'dataflow: output_stationary'
