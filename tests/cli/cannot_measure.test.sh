#!/bin/bash
# What can't be measured: exit status 3 and one line with the reason.
# shellcheck source=tests/cli/expect.bash
. "$(dirname "$0")/expect.bash"

v=$VOLLEY
expect 3 "name that doesn't resolve" "$v" probe no-such-host.invalid
says_words "no-such-host.invalid: no address found"
expect 3 "multicast" "$v" probe 224.0.0.1
says "224.0.0.1: a multicast address, not a host"
expect 3 "unspecified" "$v" probe 0.0.0.0
says_words "0.0.0.0"
expect 3 "the other family" "$v" probe -6 127.0.0.1
says "127.0.0.1: not an IPv6 address"
expect 3 "link-local without its interface" "$v" probe fe80::1
says_words "fe80::1" "%"
expect 3 "interface that is none" "$v" probe -I nosuchif0 127.0.0.1
says_words "nosuchif0"
expect 3 "file that can't be made" "$v" probe --json=/nonexistent/x.json 127.0.0.1
says_words "/nonexistent/x.json" "No such file"
expect 3 "capture that is none" "$v" read /nonexistent/x.pcap
says_words "/nonexistent/x.pcap"
printf 'this is no capture' >"$work/text.pcap"
expect 3 "file that is no capture" "$v" read "$work/text.pcap"
says_words "$work/text.pcap"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  expect 3 "no permission" setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$v" probe 127.0.0.1
  says_words "cannot open a raw socket: it needs CAP_NET_RAW" "sudo" "setcap cap_net_raw+ep"
elif [ "$(id -u)" != 0 ]; then
  expect 3 "no permission" "$v" probe 127.0.0.1
  says_words "CAP_NET_RAW" "setcap cap_net_raw+ep"
fi
finish
