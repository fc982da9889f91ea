#!/bin/bash
# Wrong usage: exit status 2 and one line that says what to do. Needs no root.
# shellcheck source=tests/cli/expect.bash
. "$(dirname "$0")/expect.bash"

v=$VOLLEY
expect 2 "no command" "$v"
says_words "volley --help"
expect 2 "no target" "$v" probe
says "no target: name a host, like volley probe 10.0.3.7:443"
expect 2 "unknown option" "$v" probe --frobnicate 127.0.0.1
says "unknown option or argument: --frobnicate: see volley probe --help"
expect 2 "rate that is none" "$v" probe -r fast 127.0.0.1
says "--rate: 'fast' is not a number of probes per second above 0, like 0.5, 1000, 20k or max: see volley probe --help"
expect 2 "rate and interval" "$v" probe -r 10 -i 1 127.0.0.1
says "--rate and --interval say the same thing: give one of them"
expect 2 "count of none" "$v" -c 0 127.0.0.1
says_words "--count"
expect 2 "port that is none" "$v" probe 127.0.0.1:http
says_words "127.0.0.1:http" "not a list of ports"
expect 2 "ICMP with a port" "$v" probe --icmp 127.0.0.1:80
says "127.0.0.1: ICMP has no ports: leave the port out"
expect 2 "payload without UDP" "$v" probe --udp-payload dns 127.0.0.1
says_words "--udp-payload" "--udp"
expect 2 "payload that is none" "$v" probe --udp --udp-payload zz 127.0.0.1
says "--udp-payload: 'zz' is not dns, ntp, echo or a payload in hexadecimal like 0a1b2c: see volley probe --help"
expect 2 "queue without RSS" "$v" probe --queue 3 127.0.0.1
says "--queue 3 needs to know the target's RSS: --rss or --rss-key"
expect 2 "key without queues" "$v" probe --rss-key microsoft 127.0.0.1
says "--rss-key needs --rss-queues, the number of receive queues"
expect 2 "queue outside the table" "$v" probe --rss-key microsoft --rss-queues 8 --queue 9 127.0.0.1
says_words "--queue 9" "0 to 7"
expect 2 "two documents on one stream" "$v" probe --json --csv 127.0.0.1
says_words "--json" "--csv" "standard output"
expect 2 "the same target twice" "$v" probe 127.0.0.1:80 127.0.0.1:80
says "127.0.0.1 port 80 is named twice"
expect 2 "too fast for a public address" "$v" probe -r 20000 8.8.8.8
says "20000/s towards the public address 8.8.8.8: more than 1000/s needs --force"
printf 'web1\n[::1:80\n' >"$work/targets"
expect 2 "bad line in a target file" "$v" probe -f "$work/targets"
says_words "--targets $work/targets: line 2:"
expect 2 "directory of targets" "$v" probe -f "$work"
says "--targets $work: it is a directory"
expect 2 "read without a file" "$v" read
says_words "FILE"
expect 2 "bad flow" "$v" rss --rss-key microsoft --rss-queues 8 --flow nonsense
says_words "nonsense"
expect 0 "help" "$v" --help
prints "probe"
for command in probe read rss; do
  expect 0 "help of $command" "$v" "$command" --help
  prints "Examples:"
done
expect 0 "version" "$v" --version
prints "volley "
finish
