# What checks need: files and their .torrent, made once; a folder and a tracker for each check; and the life of each process. Sourced by run.

# The build that is the newest.
tester=$(find "$root/tools/TorrentTester/bin" -name nzbdav-torrent-tester.dll -path '*net10.0*' -printf '%T@ %p\n' 2>/dev/null | sort -rn | head -1 | cut -d ' ' -f 2-)
mock=$(dirname "${tester:-/nowhere/x}")/nzbdav-mock-swarm.dll
whole_stage=$(mktemp -d "${TMPDIR:-/tmp}/nzbdav-peers.XXXXXX")
stage=$whole_stage
started=()
. "$here/network.sh"

stage_down() {
  local pid
  for pid in "${started[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  network_down
  rm -rf "$stage"
}

# A port that is free now: the kernel's choice.
free_port() {
  /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# wait_for SECONDS COMMAND…: tries until it succeeds or the time is up.
wait_for() {
  local end=$((SECONDS + $1 * slowness))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# The mock swarm makes the files and a .torrent, in which each check replaces the tracker by its own. Its info dictionary has 3 MiB, 193 pieces of metadata:
# more than a client may be asked for at once.
files_up() {
  if [ -z "$tester" ]; then
    echo "FAIL peers: tools/TorrentTester is not built."
    exit 1
  fi
  mkdir -p "$stage/source"
  (cd "$stage" && timeout 480 dotnet exec "$mock" --seeders 1 --size 24M --files 3 --piece-length 256K --info-padding 3M --name set --torrent-out mock.torrent \
    --files-out source --exit-with-stdin </dev/null >mock.json 2>mock.log)
  if [ ! -s "$stage/mock.torrent" ]; then
    echo "FAIL peers: the mock swarm makes no files: $(tail -n 1 "$stage/mock.log")"
    exit 1
  fi
  (cd "$stage/source" && find . -type f -exec sha256sum {} + | sort -k2) >"$stage/sums"
}

# stage_up NAME: a folder of its own, in which nobody else's peers are known.
stage_up() {
  unit=$1-$$
  stage=$whole_stage/$1
  mkdir -p "$stage"
  cp -r "$whole_stage"/{source,mock.torrent,sums} "$stage/"
  # An input that stays open: a pipe whose writer is whoever reads it.
  mkfifo "$stage/open"
  tracker_port=$(free_port)
  announce="http://127.0.0.1:$tracker_port/announce"
  /usr/bin/python3 "$here/retrack.py" "$stage/mock.torrent" "$announce" "$stage/set.torrent" >"$stage/hash"
  hash=$(cat "$stage/hash")

  # Debian's tracker serves the torrents of a list only, which it reads after it has become another user in a folder that is its root.
  mkdir -p "$stage/tracker"
  cp "$stage/hash" "$stage/tracker/list"
  chmod 755 "$whole_stage" "$stage" "$stage/tracker"
  opentracker -i 127.0.0.1 -p "$tracker_port" -P "$tracker_port" -d "$stage/tracker" -w /list >"$stage/opentracker.log" 2>&1 &
  started+=($!)
}

# same_set FOLDER: it holds exactly the files, whole. Folders may hold the torrent's own folder.
same_set() {
  local folder=$1
  [ -d "$folder/set" ] || folder=$(mkdir -p "$1.wrap" && rm -f "$1.wrap/set" && ln -s "$(realpath "$1")" "$1.wrap/set" && echo "$1.wrap")
  (cd "$folder" && find -L . -type f -exec sha256sum {} + | sort -k2) | diff -q - "$stage/sums" >/dev/null
}

# fetch_ours OUT ARGUMENTS…: downloads with our engine; returns when all is written. Transmission (3.00) as a seeder refuses an address from which a peer had just
# become whole, mostly for ten seconds, and then unchokes in rounds of ten: the second of two downloads takes twenty seconds, at times far more.
fetch_ours() {
  local out=$1
  shift
  timeout 240 dotnet exec "$tester" fetch --out "$out" "$@" >"$out.log" 2>&1 </dev/null
}

# serve_ours [ARGUMENTS…]: our engine as the only seeder, with what it once fetched from a mock seeder; sets $ours to its port.
serve_ours() {
  rm -rf "$stage/ours"
  mkdir -p "$stage/ours"
  dotnet exec "$mock" --seeders 1 --size 24M --files 3 --piece-length 256K --info-padding 3M --name set --exit-with-stdin \
    <>"$stage/open" >"$stage/ours/mock.json" 2>&1 &
  local seeder=$!
  started+=($seeder)
  wait_for 120 grep -q ready "$stage/ours/mock.json" || return 1
  local port
  port=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["ports"][0])' "$stage/ours/mock.json")
  dotnet exec "$tester" fetch "$stage/set.torrent" --peer "127.0.0.1:$port" "$@" --cache "$stage/ours/cache" --serve <>"$stage/open" >"$stage/ours/log" 2>&1 &
  ours_pid=$!
  started+=($ours_pid)
  wait_for 120 grep -q '^done' "$stage/ours/log" || return 1
  kill "$seeder" 2>/dev/null
  wait "$seeder" 2>/dev/null
  ours=$(sed -n 's/^port //p' "$stage/ours/log")
}

# seeder_known PORT: the tracker names that port to others. Peers that are gone stay in its list for a while.
seeder_known() {
  /usr/bin/python3 "$here/named.py" "$announce" "$hash" "$1"
}

# check_seeder NAME PORT: the client listens on PORT and seeds; ours fetches from it by .torrent over the tracker alone, and by magnet link.
check_seeder() {
  local name=$1 port=$2 out="$stage/from-$1"
  wait_for 120 seeder_known "$port" || fail "$name announces itself" "the tracker does not know it"
  if fetch_ours "$out" "$stage/set.torrent" && same_set "$out"; then
    ok "$name seeds, found by the tracker"
  else
    fail "$name seeds, found by the tracker" "$(tail -1 "$out.log" 2>/dev/null)"
  fi
  if fetch_ours "$out-magnet" "magnet:?xt=urn:btih:$hash&x.pe=127.0.0.1:$port" && same_set "$out-magnet"; then
    ok "$name seeds, by magnet link"
  else
    fail "$name seeds, by magnet link" "$(tail -1 "$out-magnet.log" 2>/dev/null)"
  fi
}
