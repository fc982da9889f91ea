# What the command line tests share: one command, its exit status and its output.
# Sourced; VOLLEY names the program. At the end call `finish`.

mistakes=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect STATUS NAME COMMAND...: runs it with no standard input; keeps stdout and
# stderr in $work/out and $work/err.
expect() {
  local wanted=$1 name=$2 status
  shift 2
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  what="$name: $*"
  [ "$status" = "$wanted" ] || wrong "exit status $status, wanted $wanted"
}

wrong() {
  mistakes=$((mistakes + 1))
  echo "NOT SO: $what: $1"
  sed 's/^/    out| /' "$work/out" | head -n 20
  sed 's/^/    err| /' "$work/err" | head -n 20
}

# The whole of standard error is this one line behind "volley: ".
says() {
  [ "$(cat "$work/err")" = "volley: $1" ] || wrong "standard error is not 'volley: $1'"
  [ ! -s "$work/out" ] || wrong "something on standard output"
}

# One line on standard error that begins with "volley: " and has these words.
says_words() {
  local word
  if [ "$(wc -l <"$work/err")" != 1 ] || ! grep -q '^volley: ' "$work/err"; then wrong "not one line on standard error"; fi
  for word in "$@"; do grep -qF -- "$word" "$work/err" || wrong "'$word' is not on standard error"; done
}

prints() {
  grep -qF -- "$1" "$work/out" || wrong "'$1' is not on standard output"
}

finish() {
  exit $((mistakes > 0))
}
