#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Composed against flat synthesis: bench/composition.sh [WEFT [NAME...]]. Without names all designs;
# the flat 16x16 arrays take minutes each. Blocks are kept small, so that even small designs are
# composed. Results are cached in $WEFT_CACHE as usual.
set -euo pipefail
weft=${1:-$(dirname "$0")/../weft}
shift || true
wanted=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() {  # compare NAME GATES LINE...: blocks of about GATES gates
  local name=$1 gates=$2
  shift 2
  [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
  printf '%s\n' "name: $name" "$@" > "$work/$name.yaml"
  "$weft" synth "$work/$name.yaml" --compare --block-gates "$gates" --memories registers --out "$work/$name" \
    --json "$work/$name.json" > "$work/$name.log" 2>&1 || { cat "$work/$name.log" >&2; exit 3; }
  python3 - "$name" "$work/$name.json" <<'PY'
import json, sys
name, file = sys.argv[1:]
c = json.load(open(file))
a, t = c["comparison"]["area_um2"], c["comparison"]["critical_path_ns"]
print(f'{name:20} {a["composed"]:12,.0f} {a["flat"]:12,.0f} {a["difference_percent"]:+6.2f} % '
      f'{t["composed"]:7.3f} {t["flat"]:7.3f} {t["difference_percent"]:+6.2f} %', flush=True)
PY
}

array() {  # array NAME SIZE LINE...
  compare "$1_$2" 5000 'kind: tensor_array' "rows: $2" "cols: $2" 'accumulator_width: 32' "${@:3}"
}

printf '%-20s %12s %12s %8s %7s %7s %8s\n' design composed flat '' composed flat ''
for size in 4 8 16; do
  array ws $size 'dataflow: weight_stationary'
  array os_1_stage $size 'dataflow: output_stationary' 'multiplier_stages: 1'
  array is_tiles $size 'dataflow: input_stationary' 'multiplier_stages: 1' 'adder_stages: 1' 'pe_registers: 2'
done
compare voq 60000 'kind: switch' 'ports: 8' 'flit_width: 64' 'buffer_depth: 4' 'max_packet_flits: 4'
compare voq_6 60000 'kind: switch' 'ports: 6' 'flit_width: 32' 'buffer_depth: 8' 'max_packet_flits: 4' 'pipeline: 2'
compare vc_router 20000 'kind: switch' 'ports: 5' 'flit_width: 64' 'organisation: input_queued' \
  'virtual_channels: 2' 'buffer_depth: 8' 'allocator: matrix' 'pipeline: 3' 'routing: dimension_order'
