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
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# test_case NAME COMMAND...
test_case() {
  local name=$1 status
  shift
  "$@" >"$log" 2>&1
  status=$?
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

# The unit tests are one binary; its test cases count one by one. Cases tagged
# [.] only run when asked for.
run_unit() {
  local status total bad=0
  total=$("$build/unit" '~[.]' --list-test-names-only 2>/dev/null | grep -c .)
  "$build/unit" --reporter compact >"$log" 2>&1
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
    cli | live | loopback)
      for script in tests/"$suite"/*.test.*; do
        [ -e "$script" ] || continue
        name=$(basename "$script")
        run_with=bash
        [ "${name##*.}" = py ] && run_with=python3
        test_case "$suite: ${name%.test.*}" env VOLLEY="$PWD/$build/volley" BUILD="$PWD/$build" "$run_with" "$script"
      done
      ;;
    *) echo "run.sh: no such suite: $suite" >&2; exit 2 ;;
  esac
done
[ ${#failures[@]} = 0 ] || printf 'failed: %s\n' "${failures[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
