# How a check reports. Sourced by run.
failures=0

ok() {
  echo "ok $1"
}

# took NAME SECONDS: how long a part of the run took; .ci/run puts it into its table.
took() {
  echo "-- $1: $2 s"
}

# fail NAME WHY [FILE]: the file's end is shown below.
fail() {
  failures=$((failures + 1))
  echo "FAIL $1: $2"
  if [ -n "${3:-}" ] && [ -s "$3" ]; then
    tail -n 30 "$3" | cut -c 1-400 | sed 's/^/  | /'
  fi
}

# cannot NAME WHAT WHY: a client that cannot run here. A failure, unless the environment names it and says why:
# NZBDAV_CI_WITHOUT='mount: the container has no /dev/fuse', one line for each.
cannot() {
  local reason
  reason=$(sed -n "s/^$2: *//p" <<<"${NZBDAV_CI_WITHOUT:-}" | head -n 1)
  if [ -n "$reason" ]; then
    echo "skip $1: $reason"
  else
    fail "$1" "$3"
  fi
}

# check NAME COMMAND…: the command, mostly a function, runs in a subshell that ends at its first failing line. What it says last is why.
check() {
  local name=$1 status log=${own:-$stage}/check.log
  shift
  (
    set -e
    "$@"
  ) >"$log" 2>&1 </dev/null
  status=$?
  if [ $status -eq 0 ]; then
    ok "$name"
  else
    local why
    why=$(grep . "$log" | tail -n 1)
    fail "$name" "${why:-ended with $status and said nothing}" "$log"
  fi
}

# beside NAME COMMAND…: runs checks in a subshell beside others, with a folder of their own. What they say is shown in one piece when they are over, or
# are ended.
beside() {
  local name=$1
  shift
  (
    failures=0
    processes=()
    mounts=()
    failed=$stage/failed
    own=$stage/beside-$BASHPID
    began=$SECONDS
    mkdir -p "$own"
    trap beside_over EXIT
    trap 'exit 130' INT TERM HUP
    exec 3>&1 >"$own/all.log" 2>&1
    "$@"
    took "$name" $((SECONDS - began))
  ) &
  besides+=($!)
}
besides=()

beside_over() {
  local pid place
  for pid in "${processes[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  for place in "${mounts[@]}"; do
    umount -l "$place" 2>/dev/null
  done
  cat "$own/all.log" >&3
  [ "$failures" -eq 0 ] || : >"$failed"
}

# Waits for all that run beside.
together() {
  [ ${#besides[@]} -eq 0 ] || wait "${besides[@]}"
  besides=()
  [ ! -e "$stage/failed" ] || failures=$((failures + 1))
}

# because TEXT: says why, and fails.
because() {
  echo "$*"
  return 1
}

# same WHAT EXPECTED FOUND
same() {
  [ "$2" = "$3" ] || because "$1: expected '$2', found '$3'"
}

# same_bytes WHAT SOURCE COPY: by SHA-256.
same_bytes() {
  same "SHA-256 of $1" "$(sha_of "$2")" "$(sha_of "$3")"
}

sha_of() {
  sha256sum <"$1" | cut -d ' ' -f 1
}

# bytes_of FILE START COUNT: to standard output.
bytes_of() {
  tail -c "+$(($2 + 1))" "$1" | head -c "$3" || true
}

# How many times as long as it may take on two quiet cores anything may take here: other checks run beside it, on a machine that others may use.
export slowness=4

# No client may hang the run: limited SECONDS COMMAND…
limited() {
  timeout -k 5 $(($1 * slowness)) "${@:2}"
}

# until SECONDS COMMAND…: again and again, until it succeeds or the time is over.
until_true() {
  local deadline=$((SECONDS + $1 * slowness))
  shift
  until "$@"; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.1
  done
}
