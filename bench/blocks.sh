#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Small blocks of the generators, synthesised one by one with the options that are given, a line
# each: bench/blocks.sh WEFT [OPTION...], for instance bench/blocks.sh ./weft --recipe speed
set -euo pipefail
weft=$(realpath "$1")
options=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

generate() {  # generate FOLDER PRESET, or FOLDER and the lines of a configuration on the input
  local configuration=${2:-$work/$1.yaml}
  if [ $# -lt 2 ]; then cat > "$configuration"; fi
  "$weft" gen "$configuration" -o "$work/$1" > "$work/gen.log" 2>&1 || { cat "$work/gen.log" >&2; exit 3; }
}

block() {  # block NAME FOLDER TOP PARAMETER=VALUE...
  local parameters=()
  for parameter in "${@:4}"; do parameters+=(--parameter "$parameter"); done
  "$weft" synth "$work/$2"/*.v --top "$3" "${parameters[@]}" "${options[@]}" --out "$work/$1.out" \
    --json "$work/$1.json" > "$work/$1.log" 2>&1 || { cat "$work/$1.log" >&2; exit 3; }
  python3 - "$1" "$work/$1.json" <<'PY'
import json, sys
name, file = sys.argv[1:]
r = json.load(open(file))
if "fpga" in r:
    u = r["fpga"]
    what = " ".join(f"{u[k]:6}" for k in ("luts", "carries", "flip_flops", "dsps", "block_rams", "lut_rams"))
else:
    what = f"{r['area_um2']:12,.2f} um2 {r['registers']:5} registers"
print(f"{name:8} {what}", f"{r['critical_path_ns']:8.3f} ns" if "critical_path_ns" in r else "")
PY
}

generate array <<< $'kind: tensor_array\nname: pes\nrows: 8\ncols: 8'
generate queued <<< $'kind: switch\nname: oq\nports: 4\nflit_width: 32\norganisation: output_queued\nallocator: round_robin'
generate voq <<< $'kind: switch\nname: voq\nports: 4\nflit_width: 16\nbuffer_depth: 4\norganisation: virtual_output_queued\nallocator: islip'
generate ns16 ns16
generate router mesh_router

block pe array pes_grid ROWS=1 COLS=1 PSUM_WIDTH=32
block skew array pes_skew LANES=8 WIDTH=8
block fifo queued oq_queue_memory QUEUES=1 DEPTH=8 WIDTH=32
block islip ns16 ns16_islip PORTS=16
block input router mesh_router_input
block switch voq voq
