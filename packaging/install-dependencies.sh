#!/bin/sh
# Installs with apt what building, testing or the demo need and is not there
# yet. Usage: install-dependencies.sh SET...   (sets: build check lab fuzz tidy bench peers)
# Asks for nothing and does nothing where everything is already installed.
set -eu

packages_of() {
  case "$1" in
    build) echo "g++ libpcap-dev libnet1-dev libcli11-dev libfmt-dev nlohmann-json3-dev libcap-ng-dev" ;;
    check) echo "catch2 mandoc python3 util-linux" ;;
    lab) echo "iproute2 nftables tcpdump python3 procps time" ;;
    bench) echo "clang libbpf-dev linux-libc-dev" ;;
    # nping comes with nmap; either package of mtr will do.
    peers)
      echo "hping3 nmap fping masscan"
      command -v mtr >/dev/null 2>&1 || echo mtr-tiny
      ;;
    fuzz) echo "clang libclang-rt-14-dev" ;;
    tidy) echo "clang clang-format clang-tidy bear" ;;
    *) echo "install-dependencies: no such set: $1" >&2; exit 2 ;;
  esac
}

is_installed() {
  dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

missing=""
for set_name in "$@"; do
  for package in $(packages_of "$set_name"); do
    if command -v dpkg-query >/dev/null 2>&1; then
      is_installed "$package" || missing="$missing $package"
    fi
  done
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "install-dependencies: needs (names of Debian's packages):$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "install-dependencies: run as root: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "  APT     $missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
