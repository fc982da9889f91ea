#!/bin/bash
# Runs suites of tests and counts. Usage: run.sh BUILD SUITE...
# Suites: rules unit fuzz cli loopback lab live. A test is a program that exits 0
# (passed), 77 (skipped, can't run here) or anything else (failed). The last
# line is "N passed, N failed, N skipped"; the exit status 1 if any failed.
set -u
cd "$(dirname "$0")/.." || exit 2
build=$1
shift
passed=0 failed=0 skipped=0
failures=()
unit=${UNIT:-unit}
export BUILD=$PWD/$build VOLLEY=$PWD/$build/volley
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# test_case NAME COMMAND...
test_case() {
  local name=$1
  shift
  "$@" >"$log" 2>&1
  tell "$name" $?
}

# tell NAME STATUS: counts one test whose output is in $log.
tell() {
  local name=$1 status=$2
  case $status in
    0) passed=$((passed + 1)); echo "ok       $name" ;;
    77) skipped=$((skipped + 1)); echo "skipped  $name: $(tail -n 1 "$log")" ;;
    *)
      failed=$((failed + 1)); failures+=("$name")
      echo "FAILED   $name (status $status)"
      cut -c 1-400 "$log" | sed 's/^/    /' | tail -n 100
      ;;
  esac
}

# The live tests mostly wait: three at a time, each in a lab of its own. They are
# counted in the order of their names.
run_live() {
  local folder script name
  folder=$(mktemp -d)
  for script in tests/live/*.test.py; do
    while [ "$(jobs -pr | wc -l)" -ge 3 ]; do wait -n; done
    name=$(basename "$script" .test.py)
    (
      python3 "$script" >"$folder/$name.log" 2>&1
      echo $? >"$folder/$name.status"
    ) &
  done
  wait
  for script in tests/live/*.test.py; do
    name=$(basename "$script" .test.py)
    cp "$folder/$name.log" "$log"
    tell "live: $name" "$(cat "$folder/$name.status")"
  done
  rm -rf "$folder"
}

# The unit tests are one binary (UNIT names another); its test cases count one by one. Cases tagged
# [.] only run when asked for.
run_unit() {
  local status total bad=0
  total=$("$build/$unit" '~[.]' --list-test-names-only 2>/dev/null | grep -c .)
  "$build/$unit" --reporter compact >"$log" 2>&1
  status=$?
  if [ "$status" = 0 ] && [ "$total" -gt 0 ]; then
    passed=$((passed + total))
    echo "ok       unit tests: $total test cases"
    return
  fi
  bad=$(sed -nE 's/^Failed (both |all )?([0-9]*) ?test cases?.*/\2/p' "$log" | tail -n 1)
  [ "${bad:-0}" -gt 0 ] || bad=1
  [ "$total" -ge "$bad" ] || total=$bad
  passed=$((passed + total - bad)) failed=$((failed + bad))
  failures+=("unit")
  echo "FAILED   unit tests: status $status"
  grep -vE ' passed:| passed$' "$log" | cut -c 1-400 | sed 's/^/    /' | tail -n 60
}

for suite in "$@"; do
  case $suite in
    rules)
      test_case "rule: include arrows" tests/rules/arrows.sh
      test_case "rule: options in the man page" tests/rules/options.sh "$build/volley"
      test_case "rule: versions" tests/rules/versions.sh
      test_case "rule: man pages" make --no-print-directory man-lint
      ;;
    unit) run_unit ;;
    fuzz)
      for corpus in tests/fuzz/corpus/*/; do
        name=$(basename "$corpus")
        test_case "fuzz corpus: $name" "$build/fuzz/$name" "$corpus"
      done
      ;;
    lab)
      test_case "lab: unit tests of the software NIC" "$build/lab/softnic_test"
      test_case "lab: comes up, does as told, goes down" tests/lab/lab_test.sh "$PWD/$build/lab"
      ;;
    live) run_live ;;
    cli | loopback)
      for script in tests/"$suite"/*.test.*; do
        [ -e "$script" ] || continue
        name=$(basename "$script")
        run_with=bash
        [ "${name##*.}" = py ] && run_with=python3
        test_case "$suite: ${name%.test.*}" "$run_with" "$script"
      done
      ;;
    *) echo "run.sh: no such suite: $suite" >&2; exit 2 ;;
  esac
done
[ ${#failures[@]} = 0 ] || printf 'failed: %s\n' "${failures[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
