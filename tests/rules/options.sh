#!/bin/sh
# Fails on an option that --help names and the man page doesn't, or the other
# way round. Usage: options.sh VOLLEY [ROOT]
set -eu
volley=$(realpath "$1")
cd "${2:-$(dirname "$0")/../..}"

bad=0
for command in probe read rss; do
  "$volley" "$command" --help | grep -oE '(^|[ ,])--?[a-zA-Z0-9][a-z0-9-]*' | tr -d ' ,' | sort -u |
    while read -r option; do
      name=${option#-}
      grep -qE "^\.(It|Op|Fl|Ic) ?.*Fl ${name}( |,|$|Ns)" man/volley.8 || grep -qE "Fl ${name}( |,|$)" man/volley.8 ||
        echo "options: volley $command $option is not in man/volley.8"
    done
done >"${TMPDIR:-/tmp}/options.$$"
all_help=$(for command in probe read rss; do "$volley" "$command" --help; done; "$volley" --help)
sed -nE 's/^\.It Fl (.*)/\1/p' man/volley.8 | grep -oE '(^|Fl )-?[a-zA-Z0-9][a-z0-9-]*' | sed 's/^Fl //' | sort -u |
  while read -r name; do
    printf '%s\n' "$all_help" | grep -qE -- "(^|[ ,])-$name([ ,={\[]|$)" ||
      echo "options: man/volley.8 has -$name, and no --help does"
  done >>"${TMPDIR:-/tmp}/options.$$"
cat "${TMPDIR:-/tmp}/options.$$"
[ -s "${TMPDIR:-/tmp}/options.$$" ] && bad=1
rm -f "${TMPDIR:-/tmp}/options.$$"
exit $bad
