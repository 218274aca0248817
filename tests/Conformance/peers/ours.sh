# Two of our own engines: one serves the 3 MiB of metadata and the files to the other, and to libtorrent, both with a magnet link only.

check_ours() {
  serve_ours || fail "ours serves a magnet link" "our engine did not get ready"
  if fetch_ours "$stage/from-ours" "magnet:?xt=urn:btih:$hash&x.pe=127.0.0.1:$ours" && same_set "$stage/from-ours"; then
    ok "ours serves a magnet link to ours"
  else
    fail "ours serves a magnet link to ours" "$(tail -1 "$stage/from-ours.log")"
  fi
  mkdir -p "$stage/lt-magnet"
  if timeout 240 /usr/bin/python3 "$here/session.py" leech "magnet:?xt=urn:btih:$hash&x.pe=127.0.0.1:$ours" "$stage/lt-magnet" "$(free_port)" >"$stage/lt-magnet.log" 2>&1 \
    && same_set "$stage/lt-magnet"; then
    ok "ours serves a magnet link to libtorrent"
  else
    fail "ours serves a magnet link to libtorrent" "$(tail -1 "$stage/lt-magnet.log")"
  fi
  kill "$ours_pid"
}
