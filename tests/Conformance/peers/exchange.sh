# Peers that are found by peer exchange alone: the leecher knows one peer, which has nothing, and must learn of the seeder from it. Once libtorrent is the one between and ours leeches, once ours
# is between and libtorrent leeches.

check_exchange() {
  if ! network_up four seeder between leecher 2>"$stage/network.log"; then
    cannot "peers are found by peer exchange alone" netns "$(tail -1 "$stage/network.log")"
    network_down
    return
  fi
  local seeder between
  start_on seeder "$stage/pex-seed" /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" 198.18.77.1:7001
  seeder=$last
  wait_for 60 grep -q done "$stage/pex-seed" || fail "peers are found by peer exchange alone" "the seeder did not get ready" "$stage/pex-seed"

  start_on between "$stage/pex-between" /usr/bin/python3 "$here/session.py" idle "$stage/set.torrent" "$stage/pex-nothing" 198.18.77.2:7002 198.18.77.1:7001
  between=$last
  wait_for 30 grep -q ready "$stage/pex-between"
  if on leecher timeout 240 dotnet exec "$tester" fetch --out "$stage/pex-ours" "magnet:?xt=urn:btih:$hash&x.pe=198.18.77.2:7002" >"$stage/pex-ours.log" 2>&1 </dev/null && same_set "$stage/pex-ours"; then
    ok "ours finds a seeder by libtorrent's peer exchange alone"
  else
    fail "ours finds a seeder by libtorrent's peer exchange alone" "$(tail -1 "$stage/pex-ours.log")"
  fi
  kill "$between"
  wait "$between" 2>/dev/null

  start_on between "$stage/pex-between-ours" dotnet exec "$tester" fetch "$stage/set.torrent" --idle --peer 198.18.77.1:7001
  between=$last
  wait_for 30 grep -q '^done' "$stage/pex-between-ours"
  mkdir -p "$stage/pex-lt"
  if on leecher timeout 240 /usr/bin/python3 "$here/session.py" leech "magnet:?xt=urn:btih:$hash&x.pe=198.18.77.2:$(sed -n 's/^port //p' "$stage/pex-between-ours")" "$stage/pex-lt" 198.18.77.3:7003 >"$stage/pex-lt.log" 2>&1 </dev/null \
    && same_set "$stage/pex-lt"; then
    ok "libtorrent finds a seeder by our peer exchange alone"
  else
    fail "libtorrent finds a seeder by our peer exchange alone" "$(tail -1 "$stage/pex-lt.log")" "$stage/pex-between-ours"
  fi
  kill "$between" "$seeder"
  wait "$between" "$seeder" 2>/dev/null
  network_down
}
