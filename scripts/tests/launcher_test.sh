#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests the launcher and the installation of packages with stand-ins for every program that they call, on
# a PATH that holds nothing else.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/elsewhere"
for tool in bash awk sed grep mktemp tail head rm env dirname readlink cat; do
  ln -s "$(command -v "$tool")" "$work/bin/$tool"
done

stub() { # NAME, script on stdin
  { echo '#!/usr/bin/env bash'; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

failures=0
# run COMMAND...: leaves its status, stdout and stderr in $status, $out and $err.
run() {
  status=0
  (cd "$work/elsewhere" && PATH=$work/bin WORK=$work WEFT_BUILD_DIR=$work/build TMPDIR=$work \
    "$@" >"$work/out" 2>"$work/err") || status=$?
  out=$(cat "$work/out")
  err=$(cat "$work/err")
}
expect() { # WHAT ACTUAL PATTERN
  # shellcheck disable=SC2053
  if [[ $2 != $3 ]]; then
    printf 'FAILED: %s: expected <%s>, got <%s>\nstderr: %s\n' "$1" "$3" "$2" "$err"
    failures=$((failures + 1))
  fi
}

# --- packages ---------------------------------------------------------------------------------
run "$root/scripts/install-packages" run
expect "not Debian: status" "$status" 0
expect "not Debian: names the packages" "$err" "*no Debian system*verilator*"

stub dpkg-query <<<'for p in "${@:4}"; do [[ $p == verilator ]] || echo "installed $p:amd64"; done; exit 1'
stub apt-get <<<'echo "apt-get $*" >>"$WORK/apt"; [[ ! -e $WORK/apt-fails ]]'
stub id <<<'echo 1000'
run "$root/scripts/install-packages" run
expect "neither root nor sudo: status" "$status" 3
expect "neither root nor sudo: says what to run" "$err" \
  "*1 Debian packages are missing*apt-get install -y --no-install-recommends verilator"

stub sudo <<<'echo sudo >>"$WORK/apt"; exec "$@"'
run "$root/scripts/install-packages" run
expect "sudo: status" "$status" 0
expect "sudo: installs" "$(cat "$work/apt")" "sudo*update*sudo*install --no-install-recommends verilator"

rm "$work/bin/sudo" "$work/apt"
stub id <<<'echo 0'
run "$root/scripts/install-packages" build
expect "nothing missing: status" "$status" 0
expect "nothing missing: is silent" "$err" ""
if [[ -e $work/apt ]]; then expect "nothing missing: calls apt" called never; fi

touch "$work/apt-fails"
run "$root/scripts/install-packages" run
expect "apt fails: status" "$status" 3
expect "apt fails: says so" "$err" "*apt-get install failed; its log is *"

# --- launcher ---------------------------------------------------------------------------------
stub dpkg-query <<<'for p in "${@:4}"; do echo "installed $p"; done'
stub cmake <<<'echo "cmake $*"; mkdir -p "$WORK/build/cli"; cp "$WORK/weft-stub" "$WORK/build/cli/weft"
touch "$WORK/build/CMakeCache.txt" "$WORK/build/build.ninja"'
stub ninja <<<'[[ " $* " == *" -n "* ]] && { echo "[1/1] work"; exit; }; echo "ninja $*"; [[ ! -e $WORK/ninja-fails ]]'
stub ctest <<<'echo "ctest $*"; cat "$WORK/junit" >"$WORK/build/selftest.xml"; exit "$(cat "$WORK/ctest-status")"'
for tool in mkdir cp touch; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
printf '#!/usr/bin/env bash\necho "weft $*"; exit 1\n' >"$work/weft-stub"
chmod +x "$work/weft-stub"
ln -s "$root/weft" "$work/link"

run "$work/link" cosim "a b.yaml"
expect "command: status of the command" "$status" 1
expect "command: only its output on stdout" "$out" "weft cosim a b.yaml"
expect "command: configures without tests" "$err" "*cmake -S $root *-DWEFT_TESTS=OFF*ninja * weft*"

run "$work/link" quickstart
expect "quickstart: runs the command" "$out" "weft quickstart"
if [[ $err == *configuring* ]]; then expect "quickstart: does not configure again" yes no; fi

selftest_with() { # STATUS ATTRIBUTES, options of selftest
  echo "$1" >"$work/ctest-status"
  printf '<?xml version="1.0"?>\n<testsuite name="L"\n\t%s\n\thostname="">\n<testcase name="tests=9"/>\n' \
    "$2" >"$work/junit"
  run "$work/link" selftest "${@:3}"
}
selftest_with 0 'tests="12" failures="0" disabled="0" skipped="0"'
expect "selftest: status" "$status" 0
expect "selftest: last line" "$out" "12 passed, 0 failed"
expect "selftest: builds all with warnings as errors" "$err" "*-DWEFT_TESTS=ON -DWEFT_WERROR=ON*ninja * all*-j 2*"
selftest_with 0 'tests="12" failures="0" disabled="1" skipped="2"' --label unit --label cosim
expect "selftest with skipped: last line" "$out" "9 passed, 0 failed"
expect "selftest with labels" "$err" '*-L ^(unit|cosim)$*3 tests were skipped*'
selftest_with 8 'tests="12" failures="2" disabled="0" skipped="0"'
expect "selftest with failures: status" "$status" 1
expect "selftest with failures: last line" "$out" "10 passed, 2 failed"
selftest_with 8 'tests="0" failures="0" disabled="0" skipped="0"'
expect "selftest without tests: status" "$status" 1
expect "selftest without tests: last line" "$out" "0 passed, 0 failed"
selftest_with 0 'tests="3" failures="0" disabled="0" skipped="3"'
expect "selftest with all skipped: status" "$status" 1
selftest_with 0 'tests="1" failures="0" disabled="0" skipped="0"'
if grep -q "^ninja .*-j" <<<"$err"; then expect "jobs: Ninja's default" yes no; fi
export WEFT_JOBS=5
selftest_with 0 'tests="1" failures="0" disabled="0" skipped="0"'
expect "WEFT_JOBS: of Ninja and of CTest" "$err" "*ninja * -j 5 all*ctest *-j 5 *"
for jobs in 0 -1 two 10000; do
  export WEFT_JOBS=$jobs
  run "$work/link" selftest
  expect "WEFT_JOBS=$jobs: status" "$status" 2
  expect "WEFT_JOBS=$jobs: says what is legal" "$err" "*WEFT_JOBS: '$jobs' is not *1..9999*"
done
unset WEFT_JOBS
run "$work/link" selftest --labels unit
expect "selftest with a wrong option: status" "$status" 2
touch "$work/ninja-fails"
run "$work/link" selftest
expect "build fails: status" "$status" 3
expect "build fails: says so" "$err" "*building all: failed after*"

((failures == 0))
