#!/bin/sh
# Fails on an include against the arrows between rooms, on a system, libpcap,
# libnet or CLI11 header outside the rooms that may use it, and on a source
# file without its header or its first comment.
# Usage: arrows.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/../..}"

# The arrows: what each room may include besides itself. "probe/x" names a
# single header: the value headers and seams that a room may see of another.
allowed() {
  values="probe/plan.h probe/outcome.h"
  case "$1" in
    wire) echo "" ;;
    rss) echo "wire" ;;
    probe) echo "wire rss" ;;
    stats) echo "wire rss $values probe/outcome_sink.h" ;;
    diagnosis) echo "stats rss wire $values" ;;
    report) echo "diagnosis stats rss wire $values" ;;
    net) echo "wire rss $values probe/frame_sink.h probe/frame_source.h" ;;
    app) echo "report diagnosis stats net probe rss wire" ;;
    *) echo "arrows: no such room: $1" >&2; exit 2 ;;
  esac
}

bad=0
complain() { echo "arrows: $1"; bad=1; }

# shellcheck disable=SC2013  # no name here has a space
for file in $(find src include/volley -name '*.h' -o -name '*.cc' | sort); do
  room=$(echo "$file" | sed -E 's|^(src\|include/volley)/([^/]+)/.*|\2|')
  may=" $(allowed "$room") "
  for header in $(sed -nE 's|^#include "volley/([^"]+)".*|\1|p' "$file"); do
    other=${header%%/*}
    [ "$other" = "$room" ] && continue
    case "$may" in *" $other "* | *" $header "*) ;; *) complain "$file includes $header: $room -> $other is no arrow" ;; esac
  done
  for header in $(sed -nE 's|^#include [<"]([^>"]+)[>"].*|\1|p' "$file"); do
    case "$header" in
      CLI/*) [ "$file" = src/app/options.cc ] || complain "$file includes $header: CLI11 is src/app/options.cc's alone" ;;
      libnet.h) case "$file" in src/probe/*) ;; *) complain "$file includes $header: libnet is src/probe's alone" ;; esac ;;
      pcap* | sys/* | netinet/* | arpa/* | net/* | linux/* | unistd.h | fcntl.h | poll.h | signal.h | time.h | netdb.h | cap-ng.h | ifaddrs.h)
        case "$file" in src/net/*) ;; *) complain "$file includes $header: system headers are src/net's alone" ;; esac ;;
    esac
  done
  case "$(head -n 1 "$file")" in "// "*) ;; *) complain "$file has no first comment that says what it is" ;; esac
done

# A source file implements the header of its name, or with others one header of its room.
for file in $(find src -name '*.cc' ! -path src/app/main.cc | sort); do
  name=${file#src/}
  [ -f "include/volley/${name%.cc}.h" ] && continue
  grep -q "^#include \"volley/${name%%/*}/" "$file" || complain "$file implements no header of its room"
done
exit $bad
