# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts that measure areas. Sets $weft from the script's first argument, and defines
#
#     measure KIND NAME FIGURE LINE...
#
# which synthesises the configuration of these lines and prints FIGURE of the result (area_um2,
# area_per_mac_um2) and the critical path.
set -euo pipefail
weft=${1:-$(dirname "$0")/../weft}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

measure() {
  local kind=$1 name=$2 figure=$3
  shift 3
  printf '%s\n' "kind: $kind" "name: $name" "$@" > "$work/$name.yaml"
  "$weft" synth "$work/$name.yaml" --out "$work/$name" --json "$work/$name.json" > "$work/$name.log" 2>&1 ||
    { cat "$work/$name.log" >&2; exit 3; }
  python3 - "$name" "$work/$name.json" "$figure" <<'PY'
import json, sys
name, file, figure = sys.argv[1:]
r = json.load(open(file))
unit = "um2/MAC" if figure.startswith("area_per_mac") else "um2"
print(f"{name:24} {r[figure]:12,.0f} {unit} {r['critical_path_ns']:7.2f} ns")
PY
}
