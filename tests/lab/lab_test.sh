#!/bin/bash
# Live test of the lab itself: lab_test.sh DIR, where DIR holds softnic and labd.
# Needs root; exits 77 where it can't run. Uses nothing but bash, ip and awk.
set -euo pipefail

programs=${1:?"usage: lab_test.sh DIRECTORY-OF-PROGRAMS"}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=volley-lab-test-$$
net=$(($$ % 250 + 2))
failed=0

lab() { "$here/lab.sh" "$1" --name "$name" "${@:2}"; }
up() { lab up --net "$net" --programs "$programs" "$@" >/dev/null; }
in_client() { "$here/lab.sh" exec client --name "$name" "$@"; }

check() {
  local what=$1
  shift
  if "$@"; then
    echo "ok: $what"
  else
    echo "FAILED: $what"
    failed=1
  fi
}

# The number after a key of the truth: value DIRECTION KEY of that direction's total.
value() { lab truth | awk -v direction="\"$1\"" -v key="\"$2\"" -F '[ :,{]+' '
  $2 == direction {there = 1} there && $2 == key {print $3; exit}'; }

# How many queues of to_target got a SYN.
queues_with_syn() { lab truth | awk -F '[ :,{]+' '
  $2 == "\"to_target\"" {there = 1} $2 == "\"to_client\"" {exit}
  there && $2 == "\"queue\"" {queue = 1} queue && $2 == "\"syn\"" {++count; queue = 0} END {print count + 0}'; }

# Connects so many times, one after the other; prints how many succeeded.
connect() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  in_client bash -c 'n=0; for ((i = 0; i < $3; ++i)); do
    (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null && n=$((n + 1)); done; echo "$n"' - "$1" "$2" "$3"
}

milliseconds_to_connect() {
  local start=${EPOCHREALTIME//./}
  connect "$1" 80 1 >/dev/null
  echo $(((${EPOCHREALTIME//./} - start) / 1000))
}

status=0
up --key random:7 --queues 8 || status=$?
((status != 77)) || exit 77
((status == 0)) || exit 1
trap 'lab down >/dev/null' EXIT

check "IPv4 connects" test "$(connect "10.77.$net.2" 80 64)" = 64
check "IPv6 connects" test "$(connect "fd77:$net::2" 8080 64)" = 64
check "the closed port refuses" test "$(connect "10.77.$net.2" 81 2)" = 0
check "all 8 queues got SYNs" test "$(queues_with_syn)" = 8
check "nothing was lost without a rule" test "$(value to_target lost) $(value to_client lost)" = "0 0"
check "no drops of its own" test "$(lab truth | awk '/^  "own_drops"/ {print $2}')" = 0
check "the RSS text is there" grep -q 'with 8 RX ring' "/run/$name/rss.txt"

lab rules --to-target 'match=syn delay=40ms'
check "a delay delays" test "$(milliseconds_to_connect "10.77.$net.2")" -ge 40
lab rules --to-target 'port=8080 match=syn loss=100%'
before=$(value to_target lost)
check "another port's rule leaves port 80 alone" test "$(connect "10.77.$net.2" 80 8)" = 8
check "it lost nothing yet" test "$(value to_target lost)" = "$before"
check "a rule that makes no sense is refused" bash -c "! '$here/lab.sh' rules --name '$name' --to-target 'loss=5' 2>/dev/null"
check "the old rules stay" test "$(lab truth | grep -c 'port=8080 match=syn loss=100%')" = 1

up # over the one that is there
check "up twice leaves one lab" test "$(ip netns list | grep -c "^$name-")" = 2
ip netns delete "$name-target" # half a lab
check "half a lab is not up" bash -c "! '$here/lab.sh' status --name '$name' 2>/dev/null"
up
check "up again after half" test "$(connect "10.77.$net.2" 80 4)" = 4
check "down gives the truth" bash -c "'$here/lab.sh' down --name '$name' | grep -q volley.lab/1"
check "down twice is no error" lab down
check "nothing is left" bash -c "! ip netns list | grep -q '^$name-' && ! test -e '/run/$name'"

exit "$failed"
