#!/bin/bash
# The demo: a lab whose host has eight receive queues, one of which loses 5 % of
# what it gets, and volley asked what is wrong. Usage: demo.sh BUILD (as root)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "$1")
name=volley-demo-$$

if [ "$(id -u)" != 0 ]; then
  if command -v sudo >/dev/null; then exec sudo "$0" "$build"; fi
  echo "demo: the lab needs root: run make demo as root" >&2
  exit 1
fi

clean_up() { "$here/lab.sh" down --name "$name" >/dev/null 2>&1 || true; }
trap clean_up EXIT
trap 'exit 130' INT TERM

facts=$("$here/lab.sh" up --name "$name" --net $((RANDOM % 200 + 20)) --programs "$build/lab" \
  --queues 8 --to-target 'queue=3 match=syn loss=5%') || {
  status=$?
  [ "$status" = 77 ] && echo "demo: this machine can't hold the lab: see above" >&2
  exit "$status"
}
fact() { echo "$facts" | sed -n "s/^$1=//p"; }

echo
echo "A host with 8 receive queues; queue 3 loses 5 % of its packets. ping, one flow, one queue:"
echo
echo "$ ping -q -c 50 -i 0.02 $(fact address)"
if command -v ping >/dev/null; then
  ip netns exec "$(fact client)" ping -q -c 50 -i 0.02 "$(fact address)" | tail -n 2 || true
else
  echo "(ping is not installed)"
fi
echo
echo "volley, with what ethtool -x says on that host:"
echo
echo "$ volley probe --rss $(fact rss) $(fact address):80"

ip netns exec "$(fact client)" "$build/volley" probe --rss "$(fact rss)" "$(fact address):80"
