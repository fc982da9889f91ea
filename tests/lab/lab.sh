#!/bin/bash
# The lab: two network namespaces joined by the software NIC, with a target that
# answers. Needs root. README.md has the picture, the rules and examples.
#
# Only what it started is stopped, by process id; only namespaces of its own
# name are removed. Exit status: 0, 2 wrong usage, 3 failed, 77 can't run here.
set -euo pipefail

usage() {
  cat <<'TEXT'
Usage: lab.sh up [OPTION]...      bring the lab up (one of that name that is there goes first)
       lab.sh down [--name NAME]  take it down; prints the NIC's ground truth as JSON
       lab.sh status [--name NAME]           is it up? prints what a test needs to know
       lab.sh truth [--name NAME]            print the ground truth so far
       lab.sh rules [--name NAME] [--to-target RULE]... [--to-client RULE]...
                                             replace all rules of a running lab
       lab.sh exec client|target [--name NAME] COMMAND...

Options of up:
  --name NAME          prefix of the namespaces NAME-client and NAME-target (volley-lab)
  --net N              addresses 10.77.N.1 and .2, fd77:N::1 and ::2 (1)
  --state DIR          where files of the run go (/run/NAME)
  --programs DIR       where softnic and labd are (build/lab beside the sources)
  --syncookies 0|1|2   net.ipv4.tcp_syncookies of the target (1)
  --sysctl KEY=VALUE   another setting of the target's namespace (may be repeated)
  --tcp PORTS          listening ports (80,8080); 81 stays closed
  --udp PORTS          UDP echo ports (7)
  --realtime N         round-robin real-time priority of both programs; 0: none (1)
  --log, --pcap        keep STATE/log.csv, STATE/nic.*.pcap
  --to-target RULE, --to-client RULE         what the NIC does (may be repeated)
  and those of softnic: --queues --client-queues --table --fill --key --client-key
  --udp-hash --seed --client-mtu --target-mtu --cpu
TEXT
}

die() {
  echo "lab.sh: $1" >&2
  exit "${2:-3}"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=volley-lab
state=
net=1
programs=$here/../../build/lab
syncookies=1
realtime=1
sysctls=()
labd_options=()
nic_options=()
to_target=()
to_client=()
command_line=()
keep_log=
keep_pcap=
started=()
client_mac=02:00:00:00:00:01
target_mac=02:00:00:00:00:02

parse() {
  while (($# > 0)); do
    case $1 in
      --name) name=${2:?"--name needs a value"} ;;
      --net) net=${2:?"--net needs a value"} ;;
      --state) state=${2:?"--state needs a value"} ;;
      --programs) programs=${2:?"--programs needs a value"} ;;
      --syncookies) syncookies=${2:?"--syncookies needs a value"} ;;
      --realtime) realtime=${2:?"--realtime needs a value"} ;;
      --sysctl) sysctls+=("${2:?"--sysctl needs a value"}") ;;
      --tcp | --udp) labd_options+=("$1" "${2:?"$1 needs a value"}") ;;
      --to-target) to_target+=("${2:?"--to-target needs a value"}") ;;
      --to-client) to_client+=("${2:?"--to-client needs a value"}") ;;
      --queues | --client-queues | --table | --fill | --key | --client-key | --udp-hash | --seed | --client-mtu | --target-mtu | --cpu)
        nic_options+=("$1" "${2:?"$1 needs a value"}")
        ;;
      --log)
        keep_log=1
        shift
        continue
        ;;
      --pcap)
        keep_pcap=1
        shift
        continue
        ;;
      --help)
        usage
        exit 0
        ;;
      --*) die "unknown option $1 (see lab.sh --help)" 2 ;;
      *)
        command_line=("$@")
        return
        ;;
    esac
    shift 2
  done
}

# The rest of the settings follow from the name.
settle() {
  [[ $name =~ ^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$ ]] || die "'$name' is no name for a lab" 2
  if ! [[ $net =~ ^(0|[1-9][0-9]{0,2})$ ]] || ((net > 255)); then
    die "--net needs 0 to 255" 2
  fi
  state=${state:-/run/$name}
  client=$name-client
  target=$name-target
}

require() {
  ((EUID == 0)) || die "needs root" 77
  [[ -c /dev/net/tun ]] || die "there is no /dev/net/tun here" 77
  command -v ip >/dev/null || die "needs ip (iproute2)" 77
}

# The process of a ready file if it is still that program, else nothing.
running() {
  local pid="" program=$1 file=$state/$1.ready
  [[ -r $file ]] && read -r pid _ <"$file"
  # A rebuilt program reads as "softnic (deleted)".
  [[ -n $pid && $(readlink "/proc/$pid/exe") == */"$program"* ]] 2>/dev/null && echo "$pid"
  return 0
}

stop() {
  local pid tries
  pid=$(running "$1")
  [[ -n $pid ]] || return 0
  kill -TERM "$pid" 2>/dev/null || return 0
  for ((tries = 0; tries < 100; ++tries)); do
    [[ -n $(running "$1") ]] || return 0
    sleep 0.05
  done
  kill -KILL "$pid" 2>/dev/null || true
}

# Waits for a file that a program started as process $2 writes when it is ready.
await() {
  local tries
  for ((tries = 0; tries < 200; ++tries)); do
    [[ -s $1 ]] && return
    [[ -d /proc/$2 ]] || break
    sleep 0.05
  done
  cat "$state"/*.errors >&2 2>/dev/null || true
  die "${1##*/} did not come: see above"
}

has_namespace() { [[ -e /run/netns/$1 ]]; }

# All that may be there, in whatever half a state.
clear_away() {
  stop softnic
  stop labd
  local namespace
  for namespace in "$client" "$target"; do
    if has_namespace "$namespace"; then
      ip netns delete "$namespace"
    fi
  done
}

# A directory that was asked for stays, with what a test may want to read.
remove_state() {
  rm -f "$state"/{softnic,labd}.ready
  if [[ $state == "/run/$name" && -d $state ]]; then
    remove_files
    rmdir --ignore-fail-on-non-empty "$state"
  fi
}

remove_files() {
  rm -f "$state"/{softnic,labd}.{ready,errors} "$state"/{truth.json,rules,rss.txt,log.csv} "$state"/nic.*.pcap
}

inside() {
  local namespace=$1
  shift
  ip netns exec "$namespace" "$@"
}

make_namespaces() {
  local namespace setting
  for namespace in "$client" "$target"; do
    ip netns add "$namespace"
    ip -n "$namespace" link set lo up
    inside "$namespace" sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0 \
      net.ipv6.conf.all.disable_ipv6=0 net.ipv6.conf.default.disable_ipv6=0 \
      net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.default.router_solicitations=0
  done
  inside "$target" sysctl -qw net.ipv4.tcp_max_syn_backlog=65536 net.core.somaxconn=65535 \
    "net.ipv4.tcp_syncookies=$syncookies"
  for setting in "${sysctls[@]}"; do
    inside "$target" sysctl -qw "$setting"
  done
}

# Addresses, neighbours that never need to be asked for, and a network behind
# the target (10.78.N.0/24, fd78:N::/64) where nobody answers.
configure() {
  local own=$1 own_host=$2 other_host=$3 other_mac=$4
  ip -n "$own" address add "10.77.$net.$own_host/24" dev eth0
  ip -n "$own" address add "fd77:$net::$own_host/64" dev eth0 nodad
  ip -n "$own" neighbour replace "10.77.$net.$other_host" lladdr "$other_mac" dev eth0 nud permanent
  ip -n "$own" neighbour replace "fd77:$net::$other_host" lladdr "$other_mac" dev eth0 nud permanent
}

write_rules() {
  local rule
  {
    for rule in "${to_target[@]}"; do echo "to-target $rule"; done
    for rule in "${to_client[@]}"; do echo "to-client $rule"; done
  } >"$state/rules"
}

start_programs() {
  local program prefix=()
  # A network card doesn't wait for a CPU that others use: without this a busy
  # machine shows in the RTT. Where it is not allowed the lab is less exact.
  if ((realtime > 0)) && chrt --rr "$realtime" true 2>/dev/null; then
    prefix=(chrt --rr "$realtime")
  fi
  for program in softnic labd; do
    [[ -x $programs/$program ]] || die "$programs/$program is missing: make lab"
  done
  [[ -n $keep_log ]] && nic_options+=(--log "$state/log.csv")
  [[ -n $keep_pcap ]] && nic_options+=(--pcap "$state/nic")
  "${prefix[@]}" "$programs/softnic" --client-netns "$client" --target-netns "$target" \
    --client-mac "$client_mac" --target-mac "$target_mac" --rules "$state/rules" --rss-file "$state/rss.txt" \
    --truth "$state/truth.json" --ready-file "$state/softnic.ready" "${nic_options[@]}" \
    </dev/null >/dev/null 2>"$state/softnic.errors" &
  started+=($!)
  await "$state/softnic.ready" $!
  inside "$target" "${prefix[@]}" "$programs/labd" --ready-file "$state/labd.ready" "${labd_options[@]}" \
    </dev/null >/dev/null 2>"$state/labd.errors" &
  started+=($!)
  await "$state/labd.ready" $!
}

# Whatever ends `up` before its end must not leave half a lab behind.
give_up() {
  if ((${#started[@]} > 0)); then
    kill -TERM "${started[@]}" 2>/dev/null || true
  fi
  clear_away
  remove_state
}

up() {
  settle
  require
  mkdir -p "$state"
  trap give_up EXIT
  trap 'exit 130' INT TERM HUP
  clear_away
  remove_files
  make_namespaces
  write_rules
  start_programs
  configure "$client" 1 2 "$target_mac"
  configure "$target" 2 1 "$client_mac"
  ip -n "$client" route add "10.78.$net.0/24" via "10.77.$net.2"
  ip -n "$client" route add "fd78:$net::/64" via "fd77:$net::2"
  status
  trap - EXIT INT TERM HUP
}

status() {
  local nic services
  nic=$(running softnic)
  services=$(running labd)
  if [[ -z $nic || -z $services ]] || ! has_namespace "$client" || ! has_namespace "$target"; then
    echo "lab $name is not up" >&2
    return 1
  fi
  local address
  address=$(ip -n "$target" -4 -o address show dev eth0 | awk '{sub(/\/.*/, "", $4); print $4}')
  printf '%s\n' "name=$name" "client=$client" "target=$target" "state=$state" "address=$address" \
    "address6=$(ip -n "$target" -6 -o address show dev eth0 scope global | awk '{sub(/\/.*/, "", $4); print $4}')" \
    "rss=$state/rss.txt" "softnic=$nic" "labd=$services"
}

# Asks the running NIC for something by signal, and waits until the file is new.
ask() {
  local signal=$1 file=$2 pid before tries
  pid=$(running softnic)
  [[ -n $pid ]] || die "lab $name is not up"
  before=$(stat -c %i "$file" 2>/dev/null || true)
  kill "-$signal" "$pid"
  for ((tries = 0; tries < 100; ++tries)); do
    [[ $(stat -c %i "$file" 2>/dev/null || true) != "$before" ]] && return
    sleep 0.02
  done
  die "the NIC did not answer $signal"
}

truth() {
  ask USR1 "$state/truth.json"
  cat "$state/truth.json"
}

change_rules() {
  local generation before
  read -r _ before <"$state/softnic.ready"
  write_rules
  ask HUP "$state/softnic.ready"
  read -r _ generation <"$state/softnic.ready"
  ((generation > before)) || die "$(tail -n 1 "$state/softnic.errors")" 2
}

down() {
  # A reader that has seen enough must not keep the rest from going.
  trap '' PIPE
  clear_away
  if [[ -s $state/truth.json ]]; then
    cat "$state/truth.json" 2>/dev/null || true
  fi
  remove_state
}

verb=${1:-}
(($# > 0)) && shift
case $verb in
  up)
    parse "$@"
    ((${#command_line[@]} == 0)) || die "unknown argument ${command_line[0]}" 2
    up
    ;;
  down | status | truth | rules)
    parse "$@"
    settle
    require
    case $verb in
      down) down ;;
      status) status ;;
      truth) truth ;;
      rules) change_rules ;;
    esac
    ;;
  exec)
    side=${1:-}
    [[ $side == client || $side == target ]] || die "exec needs client or target" 2
    shift
    parse "$@"
    settle
    require
    ((${#command_line[@]} > 0)) || die "exec needs a command" 2
    exec ip netns exec "$name-$side" "${command_line[@]}"
    ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
