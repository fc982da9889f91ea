#!/bin/bash
# `volley rss`: published vectors, and what ethtool texts say. Needs no root.
# shellcheck source=tests/cli/expect.bash
. "$(dirname "$0")/expect.bash"

v=$VOLLEY
data=$(dirname "$0")/../data
# The first row of the published verification table: hash 0x51ccc178, low seven bits 0x78.
expect 0 "published vector" "$v" rss --rss-key microsoft --rss-queues 128 --flow '66.9.149.187:2794>161.142.100.80:1766'
prints "0x51ccc178"
prints "120"
expect 0 "IPv6 vector" "$v" rss --rss-key microsoft --rss-queues 128 \
  --flow '[3ffe:2501:200:1fff::7]:2794>[3ffe:2501:200:3::1]:1766'
prints "0x40207d3d"
expect 0 "what a text says" "$v" rss --rss "$data/ethtool-real/virtio_net.ethtool-6.1.x.txt"
prints "toeplitz"
expect 0 "ports for a queue" "$v" rss --rss-key microsoft --rss-queues 8 --queue 3 --from 10.0.3.9 --to 10.0.3.7:443 --count 4 --json
prints '"queue": 3'
expect 2 "no key in the text" "$v" rss --rss "$data/ethtool/ena_old_nokey.x.ethtool-6.1.txt" --flow '10.0.0.1:1>10.0.0.2:2'
says_words "ena_old_nokey" "key"
finish
