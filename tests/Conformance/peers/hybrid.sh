# A hybrid torrent (BEP 52) whose tracker knows its second info-hash alone, and a libtorrent that has the torrent by that hash alone: who finds whom finds it by it.

# hybrid_lt NAME TORRENT FOLDER: libtorrent seeds, or fetches and then seeds; sets $lt_pid.
hybrid_lt() {
  /usr/bin/python3 "$here/session.py" seed "$2" "$3" "$(free_port)" >"$stage/$1" 2>&1 &
  lt_pid=$!
  started+=($lt_pid)
}

check_hybrid() {
  local tracker_port first second short url ours_pid
  tracker_port=$(free_port)
  url="http://127.0.0.1:$tracker_port/announce"

  # Of odd sizes, so that there is padding between the files.
  truncate -s 5000001 "$stage/source/set/part1.bin"
  truncate -s 7000003 "$stage/source/set/part2.bin"
  (cd "$stage/source" && find . -type f -exec sha256sum {} + | sort -k2) >"$stage/sums"
  read -r first second short < <(/usr/bin/python3 "$here/hybrid.py" "$stage/source/set" "$url" "$stage/hybrid.torrent")
  echo "$short" >"$stage/tracker/list-hybrid"
  opentracker -i 127.0.0.1 -p "$tracker_port" -P "$tracker_port" -d "$stage/tracker" -w /list-hybrid >"$stage/opentracker-hybrid.log" 2>&1 &
  started+=($!)

  hybrid_lt lt-hybrid "$stage/hybrid.torrent" "$stage/source"
  wait_for 120 grep -q done "$stage/lt-hybrid" || fail "libtorrent seeds a hybrid" "it did not get ready"
  mkdir -p "$stage/ours"
  dotnet exec "$tester" fetch "$stage/hybrid.torrent" --out "$stage/from-lt" --cache "$stage/ours/cache" --serve <>"$stage/open" >"$stage/ours/log" 2>&1 &
  ours_pid=$!
  started+=($ours_pid)
  if wait_for 120 grep -q '^done' "$stage/ours/log" && same_set "$stage/from-lt"; then
    ok "libtorrent seeds a hybrid, found by its second hash"
  else
    fail "libtorrent seeds a hybrid, found by its second hash" "$(tail -1 "$stage/ours/log")"
  fi
  kill "$lt_pid"
  wait "$lt_pid" 2>/dev/null

  # Its requests for hashes of version 2 are rejected.
  mkdir -p "$stage/lt-newer-files"
  hybrid_lt lt-newer "magnet:?xt=urn:btmh:1220$second&tr=$url" "$stage/lt-newer-files"
  if wait_for 120 grep -q done "$stage/lt-newer" && same_set "$stage/lt-newer-files"; then
    ok "libtorrent leeches a hybrid by its second hash alone"
  else
    fail "libtorrent leeches a hybrid by its second hash alone" "$(tail -1 "$stage/lt-newer")"
  fi
  kill "$ours_pid"
  wait "$ours_pid" 2>/dev/null

  if fetch_ours "$stage/from-newer" "magnet:?xt=urn:btih:$first&xt=urn:btmh:1220$second&tr=$url" && same_set "$stage/from-newer"; then
    ok "libtorrent seeds what it has by the second hash alone, by magnet link"
  else
    fail "libtorrent seeds what it has by the second hash alone, by magnet link" "$(tail -1 "$stage/from-newer.log")"
  fi
  kill "$lt_pid"
}
