#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# weft's blocks beside the best public RTL of the same function, as the table of
# docs/quality_of_results.md: bench/quality_of_results.sh [WEFT [ROW...]]. Without rows all of them.
#
# Both were measured in the same two flows on OSU 180 nm: areas without -constr, so that no cell is
# resized or buffered; critical paths with it. The peers' figures are in quality_of_results.csv.
set -euo pipefail
here=$(dirname "$0")
weft=$(realpath "${1:-$here/../weft}")
shift || true
wanted=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/area.ys" <<'YS'
synth -flatten -top {top}
dfflibmap -liberty {library}
abc -liberty {library} -D {period_ps}
clean
YS

synthesise() {  # synthesise NAME FILE PARAMETERS OPTION...: FILE.area.json and FILE.path.json
  local options=()
  for parameter in ${3//,/ }; do options+=(--parameter "$parameter"); done
  for flow in area path; do
    local script=()
    [ $flow = path ] || script=(--script "$work/area.ys")
    "$weft" synth "$work/$1"/*.v "${@:4}" "${options[@]}" "${script[@]}" --out "$2.$flow" --json "$2.$flow.json" \
      > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 3; }
  done
}

# row NAME TOP UNITS PARAMETERS LESS LINE...: the module NAME_TOP (TOP -: NAME itself) of this configuration
# with these parameters (NAME=VALUE,...); its area, less that with the parameters LESS if there are any, is
# divided by UNITS.
row() {
  local name=$1 top=$1
  [ "$2" = - ] || top+=_$2
  [ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
  printf '%s\n' "name: $name" "${@:6}" > "$work/$name.yaml"
  "$weft" gen "$work/$name.yaml" -o "$work/$name" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 3; }
  synthesise "$name" "$work/all" "$4" --top "$top"
  [ -z "$5" ] || synthesise "$name" "$work/less" "$5" --top "$top"
  python3 - "$name" "$3" "$work" "${5:+less}" "$here/quality_of_results.csv" <<'PY'
import csv, json, sys
name, units, work, less, peers = sys.argv[1:]
def result(what, flow):
    return json.load(open(f"{work}/{what}.{flow}.json"))
def area(flow):
    return (result("all", flow)["area_um2"] - (result(less, flow)["area_um2"] if less else 0)) / int(units)
own, path = area("area"), result("all", "path")["critical_path_ns"]
for r in csv.DictReader(open(peers)):
    if r["row"] == name:
        peer, peer_path = float(r["area"]), float(r["path"])
        print(f"| {name} | {r['peer']} | {peer:,.0f} | {peer_path:.2f} | {own:,.0f} | {path:.2f} "
              f"| {own / peer:.2f} | {path / peer_path:.2f} | {r['differs']} |", flush=True)
PY
}

array() {  # array NAME TOP UNITS PARAMETERS LESS LINE...
  row "${@:1:5}" 'kind: tensor_array' 'rows: 8' 'cols: 8' 'accumulator_width: 32' "${@:6}"
}
pe() {  # pe NAME WIDTH LINE...: what a PE adds to a column; WIDTH is the parameter of its sums
  array "$1" grid 8 "ROWS=12,COLS=1,$2=32" "ROWS=4,COLS=1,$2=32" "${@:3}"
}
crossbar() {  # crossbar PORTS
  row "crossbar_$1" - 1 '' '' 'kind: switch' "ports: $1" 'flit_width: 64' 'organisation: crossbar' \
    'flow_control: ready_valid' 'allocator: round_robin' 'pipeline: single_cycle'
}
router() {  # router NAME VCS DEPTH WIDTH LINE...
  row "$1" - 1 '' '' 'kind: switch' 'ports: 5' 'organisation: input_queued' "virtual_channels: $2" "buffer_depth: $3" \
    "flit_width: $4" 'routing: dimension_order' 'mesh_columns: 8' 'mesh_rows: 8' "${@:5}"
}

os=('dataflow: output_stationary' 'stationary_buffers: 1')
stage='multiplier_stages: 1'
separable=('allocator: matrix' 'pipeline: 3')

echo '| block | peer | area | path | ours: area | path | area ratio | path ratio | what differs |'
echo '|---|---|---|---|---|---|---|---|---|'
row fifo fifo 1 DEPTH=8,WIDTH=8 '' 'kind: switch' 'flow_control: ready_valid'
array skew skew 1 LANES=8,WIDTH=8 ''
pe pe_ws PSUM_WIDTH
pe pe_ws_stage PSUM_WIDTH "$stage"
pe pe_os ACC_WIDTH "${os[@]}"
pe pe_os_stage ACC_WIDTH "${os[@]}" "$stage"
array grid_ws grid 64 '' '' 'stationary_buffers: 1'
array array_ws - 64 '' ''
array array_ws_stage - 64 '' '' "$stage"
array array_is - 64 '' '' 'dataflow: input_stationary'
array grid_os grid 64 '' '' "${os[@]}"
array grid_os_21 grid 64 ACC_WIDTH=21 '' "${os[@]}"
array array_os - 64 '' '' "${os[@]}"
array array_os_stage - 64 '' '' "${os[@]}" "$stage"
array array_os_double - 64 '' '' 'dataflow: output_stationary'
crossbar 5
crossbar 8
crossbar 16
router router_2x8x64 2 8 64 "${separable[@]}"
router router_2x4x32 2 4 32 "${separable[@]}"
router router_4x8x64 4 8 64 "${separable[@]}"
router router_4x8x64_wavefront 4 8 64 'allocator: wavefront' 'pipeline: 3'
