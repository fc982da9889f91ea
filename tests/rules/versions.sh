#!/bin/sh
# Fails unless Makefile, CHANGELOG, man pages and packages name the same version.
# Usage: versions.sh [ROOT]
set -eu
cd "${1:-$(dirname "$0")/../..}"

version=$(sed -nE 's/^VERSION := (.*)$/\1/p' Makefile)
bad=0
same() {
  [ "$2" = "$version" ] || { echo "versions: $1 says '$2', the Makefile $version"; bad=1; }
}
same CHANGELOG.md "$(sed -nE 's/^## ([0-9.]+).*/\1/p' CHANGELOG.md | head -n 1)"
for page in man/*.[1-8]; do
  same "$page" "$(sed -nE 's/^\.Os volley (.*)$/\1/p' "$page")"
done
if [ -f packaging/debian/changelog ]; then
  same packaging/debian/changelog "$(sed -nE '1s/^volley \(([0-9.]+).*/\1/p' packaging/debian/changelog)"
fi
if [ -f packaging/rpm/volley.spec ]; then
  same packaging/rpm/volley.spec "$(sed -nE 's/^Version: *(.*)$/\1/p' packaging/rpm/volley.spec)"
fi
exit $bad
