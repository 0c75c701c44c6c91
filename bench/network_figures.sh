#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Throughput and waits of switches under traffic, beside what theory and the literature say, and how
# fast each model is: bench/network_figures.sh [WEFT [MODEL...]]; models are cycle, rtl and packet.
# The first run of rtl builds each switch, which takes minutes.
set -euo pipefail
weft=${1:-$(dirname "$0")/../weft}
shift || true
models=("$@")
[ ${#models[@]} -gt 0 ] || models=(cycle rtl packet)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

design() {  # design NAME LINE...
  printf '%s\n' 'kind: switch' "name: $1" 'buffer_depth: 64' 'max_packet_flits: 32' "${@:2}" > "$work/$1.yaml"
}

run() {  # run MODEL DESIGN OPTION...: the result as JSON
  "$weft" network "$work/$2.yaml" --model "$1" "${@:3}" --json - 2> "$work/log" || { cat "$work/log" >&2; exit 3; }
}

report() {  # report MODEL WHAT EXPECTED EXPRESSION < JSON: the expression sees r, and p, its first point
  python3 -c '
import json, sys
model, what, expected, expression = sys.argv[1:]
r = json.load(sys.stdin)
p = r["points"][0]
print(f"{what:44} {model:7} {eval(expression):9.4f}   {expected}")' "$@"
}

for ports in 16 32; do
  design "voq$ports" "ports: $ports"
  design "voq4_$ports" "ports: $ports" 'islip_iterations: 4'
  design "wave$ports" "ports: $ports" 'allocator: wavefront'
  design "fifo$ports" "ports: $ports" 'organisation: input_queued'
done
design voq2_16 'ports: 16' 'islip_iterations: 2'
design output16 'ports: 16' 'organisation: output_queued' 'allocator: round_robin'

printf '%-44s %-7s %9s   %s\n' figure model measured expected
full=(--load 1 --seeds 1 --warmup 60000 --measure 60000)
long=(--load 0.9 --seeds 3 --warmup 20000 --measure 100000)
for model in "${models[@]}"; do
  for ports in 16 32; do
    run "$model" "voq$ports" "${full[@]}" | report "$model" "uniform, iSLIP, $ports ports, full load" 'at least 0.99' 'p["accepted"]'
    run "$model" "wave$ports" "${full[@]}" --traffic diagonal |
      report "$model" "diagonal, wavefront, $ports ports, full load" 'at least 0.97' 'p["accepted"]'
    run "$model" "voq4_$ports" "${full[@]}" --traffic diagonal |
      report "$model" "diagonal, iSLIP-4, $ports ports, full load" 'at least 0.84' 'p["accepted"]'
  done
  run "$model" fifo16 "${full[@]}" | report "$model" 'uniform, one FIFO an input, 16 ports' '0.602 +- 0.01' 'p["accepted"]'
  run "$model" fifo32 "${full[@]}" | report "$model" 'uniform, one FIFO an input, 32 ports' '0.594 +- 0.01' 'p["accepted"]'
  for case in 'output16:output queues:4.3' 'voq4_16:iSLIP-4:9.7' 'wave16:wavefront:10.7' 'voq2_16:iSLIP-2:24' 'voq16:iSLIP-1:112'; do
    IFS=: read -r name what wait <<< "$case"
    run "$model" "$name" "${long[@]}" |
      report "$model" "mean wait at load 0.9, $what, 16 ports" "$wait +- 10 %" 'p["mean_latency"] - r["zero_load_latency"]'
  done
  for flits in 1 4 8 32; do
    for load in 0.3 0.6; do
      run "$model" voq16 --load $load --packet $flits --seeds 1 --measure 100000 |
        report "$model" "voq16, load $load, $flits-flit packets" 'million cycles a CPU second' 'r["points"][0]["cycles"] / r["points"][0]["cpu_seconds"] / 1e6'
    done
  done
done
