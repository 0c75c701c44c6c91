#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Area and clock of the preset arrays, switches and links, composed, as a table of
# docs/quality_of_results.md: bench/presets.sh [WEFT [LIBRARY...] [-- PRESET...]]
#
# A library is a target of weft synth (default: osu018), that is, a name or the path of a Liberty file;
# =CELLS behind it names cells to do without: sky130hd.lib.gz=*lpflow*. Results are cached in
# $WEFT_CACHE as usual; the largest presets take minutes the first time.
set -euo pipefail
weft=$(realpath "${1:-$(dirname "$0")/../weft}")
shift || true
libraries=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do libraries+=("$1"); shift; done
shift || true
[ ${#libraries[@]} -gt 0 ] || libraries=(osu018)
presets=("$@")
if [ ${#presets[@]} -eq 0 ]; then
  mapfile -t presets < <("$weft" presets | sed -n '/^Configurations/,/^$/s/^  \([^ ]*\) .*/\1/p')
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '| preset |'; printf ' %s |' "${libraries[@]##*/}"; echo
printf '|---|'; printf '%s' "${libraries[@]/*/---|}"; echo
for preset in "${presets[@]}"; do
  results=()
  for library in "${libraries[@]}"; do
    options=(--target "${library%%=*}")
    [[ $library != *=* ]] || options+=(--dont-use "${library#*=}")
    result=$work/$preset.${#results[@]}
    "$weft" synth "$preset" "${options[@]}" --out "$result" --json "$result.json" > "$work/log" 2>&1 ||
      { cat "$work/log" >&2; exit 3; }
    rm -rf "$result"
    results+=("$result.json")
  done
  python3 - "$preset" "${results[@]}" <<'PY'
import json, sys
def figures(file):
    r = json.load(open(file))
    of_a_mac = f", {r['area_per_mac_um2']:,.4g} um2 a MAC" if "area_per_mac_um2" in r else ""
    return f"{r['area_um2'] / 1e6:.4g} mm2{of_a_mac}, {r['critical_path_ns']:.3g} ns"
print("|", sys.argv[1], "|", " | ".join(map(figures, sys.argv[2:])), "|", flush=True)
PY
done
