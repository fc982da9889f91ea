#!/bin/sh
# Fails on an option that --help names and the man page doesn't, or the other
# way round. Usage: options.sh VOLLEY [ROOT]
set -eu
volley=$(realpath "$1")
cd "${2:-$(dirname "$0")/../..}"

bad=0
# An option stands at the beginning of its help line, examples don't.
options_of() { "$volley" "$1" --help | sed -nE 's/^  (-[^ ]+).*/\1/p' | tr ',' '\n' | sed -E 's/[[{=].*//'; }

for command in probe read rss; do
  options_of "$command" | sort -u |
    while read -r option; do
      name=${option#-}
      grep -qE "Fl ${name}( |,|$)" man/volley.8 || echo "options: volley $command $option is not in man/volley.8"
    done
done >"${TMPDIR:-/tmp}/options.$$"
all_help=$(for command in probe read rss; do options_of "$command"; done; echo --version; echo -V)
sed -nE 's/^\.It Fl (.*)/\1/p' man/volley.8 | sed -E 's/ Ar .*//; s/ Ns .*//; s/ , Fl /\n/g' | sort -u |
  while read -r name; do
    printf '%s\n' "$all_help" | grep -qxF -- "-$name" || echo "options: man/volley.8 has -$name, and no --help does"
  done >>"${TMPDIR:-/tmp}/options.$$"
cat "${TMPDIR:-/tmp}/options.$$"
[ -s "${TMPDIR:-/tmp}/options.$$" ] && bad=1
rm -f "${TMPDIR:-/tmp}/options.$$"
exit $bad
