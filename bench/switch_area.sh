#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Area and clock of a 16x16 crossbar switch without queues, and of a 5-port router with two virtual
# channels: bench/switch_area.sh [WEFT]
set -euo pipefail
weft=${1:-$(dirname "$0")/../weft}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() {  # measure NAME LINE...
  local name=$1
  shift
  printf '%s\n' 'kind: switch' "name: $name" 'flit_width: 64' "$@" > "$work/$name.yaml"
  "$weft" synth "$work/$name.yaml" --out "$work/$name" --json "$work/$name.json" > "$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 3; }
  python3 - "$name" "$work/$name.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[2]))
print(f"{sys.argv[1]:24} {r['area_um2']:12,.0f} um2 {r['critical_path_ns']:7.2f} ns")
PY
}

crossbar=('ports: 16' 'organisation: crossbar' 'flow_control: ready_valid' 'allocator: round_robin')
measure crossbar_single_cycle "${crossbar[@]}" 'pipeline: single_cycle'
measure crossbar_2_stages "${crossbar[@]}" 'pipeline: 2'
router=('ports: 5' 'organisation: input_queued' 'virtual_channels: 2' 'buffer_depth: 8' 'routing: dimension_order'
  'allocator: matrix' 'pipeline: 3')
measure vc_router "${router[@]}"
measure vc_router_gated_clocks "${router[@]}" 'clock_gating: true'
