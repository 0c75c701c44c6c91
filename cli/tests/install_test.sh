#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# install_test.sh CMAKE BUILD_DIRECTORY: an installed prefix works after it was moved elsewhere.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" --install "$2" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/second place"
weft="$work/second place/bin/weft"

# expect PATTERN COMMAND...: the output of the command has a line that begins so.
expect() { grep "^$1" <<<"$("${@:2}")" >/dev/null || { echo "no line '$1' from: ${*:2}"; exit 1; }; }

expect 'weft [0-9]' "$weft" --version
expect '  quickstart ' "$weft" presets
"$weft" gen quickstart -o "$work/out" >/dev/null
expect '{' "$weft" estimate quickstart --workload tiny --json -
cmp <("$weft" presets quickstart) "$work/second place/share/weft/presets/quickstart.yaml"
expect '    "rows": {' "$weft" schema tensor_array
[[ -s "$work/second place/share/weft/digits/digits.csv" ]]
ln -s "$weft" "$work/link"
expect '  quickstart ' "$work/link" presets
# Nothing in the prefix leads back to the source or build tree.
[[ -z $(find "$work/second place" -type l) ]]
