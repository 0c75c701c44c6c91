#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Composed against flat synthesis: bench/composition.sh [WEFT [--noise] [NAME...]]. Without names all
# designs; the flat 16x16 arrays take minutes each. Blocks and samples are kept small, so that even
# small designs are composed. With --noise flat synthesis is instead compared with itself, the same
# design below one more level of hierarchy. Results are cached in $WEFT_CACHE as usual.
set -euo pipefail
weft=${1:-$(dirname "$0")/../weft}
shift || true
noise=no
if [ "${1:-}" = --noise ]; then
  noise=yes
  shift
fi
wanted=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

synth() {  # synth NAME ARGUMENT...: writes $work/NAME.json
  local name=$1
  shift
  "$weft" synth "$@" --out "$work/$name.out" --json "$work/$name.json" > "$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 3; }
}

wrap() {  # wrap NAME: $work/deeper.v has a module `deeper` with nothing but an instance of NAME in it
  python3 - "$work/flat.out/rtl/$1.v" "$1" > "$work/deeper.v" <<'PY'
import re, sys
file, name = sys.argv[1:]
text = open(file).read()
start = text.index(f"\nmodule {name} ") + 1
header = text[start : text.index(");\n", start) + 3]
ports = re.findall(r"^\s*(?:input|output)\s+(?:wire|reg)\s+(?:\[[^]]*\]\s*)?(\w+)", header, re.M)
parameters = re.findall(r"parameter\s+(\w+)", header)
connect = lambda names: ", ".join(f".{n}({n})" for n in names)
print(header.replace(f"module {name}", "module deeper", 1).replace("output reg", "output wire"))
print(f"  {name} #({connect(parameters)}) u ({connect(ports)});\nendmodule")
PY
}

row() {  # row NAME A.json B.json
  python3 - "$@" <<'PY'
import json, sys
name, one, other = sys.argv[1], *(json.load(open(f)) for f in sys.argv[2:])
percent = lambda key: 100 * (one[key] / other[key] - 1)
area, path = "area_um2", "critical_path_ns"
print(f"{name:15} {len(one.get('blocks', [1])):6} {one[area]:12,.0f} {other[area]:12,.0f} "
      f"{percent(area):+6.2f} % {one[path]:7.3f} {other[path]:7.3f} {percent(path):+6.2f} %", flush=True)
PY
}

compare() {  # compare NAME OPTIONS LINE...: OPTIONS make it a composition
  local name=$1 options=$2
  shift 2
  [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
  printf '%s\n' "name: $name" "$@" > "$work/$name.yaml"
  synth flat "$work/$name.yaml" --flat
  if [ $noise = yes ]; then
    wrap "$name"
    synth deeper "$work/deeper.v" "$work"/flat.out/rtl/*.v --top deeper
    row "$name" "$work/deeper.json" "$work/flat.json"
  else
    # shellcheck disable=SC2086
    synth composed "$work/$name.yaml" --composed --memories registers $options
    row "$name" "$work/composed.json" "$work/flat.json"
  fi
}

array() {  # array NAME SAMPLE ROWS COLS LINE...
  compare "$1" "--block-gates 1500 --largest-sample $2" 'kind: tensor_array' "rows: $3" "cols: $4" "${@:5}"
}

printf '%-15s %6s %12s %12s %8s %7s %7s %8s\n' design blocks area flat '' path flat ''
for size in 4 8 16; do
  sample=$((size / 2 + (size == 4)))
  array ws_$size $sample $size $size 'accumulator_width: 32' 'dataflow: weight_stationary'
  array os_1_stage_$size $sample $size $size 'accumulator_width: 32' 'dataflow: output_stationary' \
    'multiplier_stages: 1'
  array is_tiles_$size $((size / 2)) $size $size 'accumulator_width: 32' 'dataflow: input_stationary' \
    'multiplier_stages: 1' 'adder_stages: 1' 'pe_registers: 2'
done
compare voq '--block-gates 60000' 'kind: switch' 'ports: 8' 'flit_width: 64' 'buffer_depth: 4' \
  'max_packet_flits: 4'
compare vc_router '--block-gates 20000' 'kind: switch' 'ports: 5' 'flit_width: 64' \
  'organisation: input_queued' 'virtual_channels: 2' 'buffer_depth: 8' 'allocator: matrix' \
  'pipeline: 3' 'routing: dimension_order'
# Of other shapes.
array os_12x6 8 12 6 'accumulator_width: 24' 'dataflow: output_stationary' 'stationary_format: int4' \
  'moving_format: int8' 'adder_stages: 1'
array ws_6x14 8 6 14 'dataflow: weight_stationary' 'stationary_format: uint4' 'moving_format: int6' \
  'pe_registers: 3' 'accumulator_width: 20'
compare voq_6 '--block-gates 60000' 'kind: switch' 'ports: 6' 'flit_width: 32' 'buffer_depth: 8' \
  'max_packet_flits: 4' 'pipeline: 2'
compare input_7 '--block-gates 4000' 'kind: switch' 'ports: 7' 'flit_width: 32' \
  'organisation: input_queued' 'virtual_channels: 1' 'buffer_depth: 6' 'allocator: round_robin' \
  'pipeline: 2' 'max_packet_flits: 4'
