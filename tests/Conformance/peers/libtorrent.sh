# libtorrent by its Python binding.

check_libtorrent() {
  local port pid
  port=$(free_port)
  /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "$port" >"$stage/lt-seed" 2>&1 &
  pid=$!
  started+=($pid)
  wait_for 120 grep -q done "$stage/lt-seed"
  check_seeder libtorrent "$port"
  kill "$pid"
  wait "$pid" 2>/dev/null

  serve_ours || fail "libtorrent leeches" "our engine did not get ready"
  mkdir -p "$stage/lt"
  if timeout 240 /usr/bin/python3 "$here/session.py" leech "$stage/set.torrent" "$stage/lt" "$(free_port)" >"$stage/lt.log" 2>&1 && same_set "$stage/lt"; then
    ok "libtorrent leeches"
  else
    fail "libtorrent leeches" "$(tail -1 "$stage/lt.log")"
  fi
  kill "$ours_pid"
}
