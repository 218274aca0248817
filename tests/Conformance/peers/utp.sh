# Peers that only uTP reaches (BEP 29), as client and as server: libtorrent without TCP, and Transmission without it.

# by_utp NAME FILE: all connections that a download of ours had at its end were by uTP.
by_utp() {
  if grep -qx 'transport utp' "$2"; then
    ok "$1"
  else
    fail "$1" "$(grep '^transport' "$2" || echo 'nothing says by which transport')"
  fi
}

check_utp() {
  local port pid way
  for way in plain rc4; do
    port=$(free_port)
    /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "127.0.0.1:$port" utp "$way" >"$stage/utp-seed" 2>&1 &
    pid=$!
    started+=($pid)
    wait_for 120 grep -q '^done' "$stage/utp-seed"
    if fetch_ours "$stage/utp-$way" "$stage/set.torrent" --peer "127.0.0.1:$port" && same_set "$stage/utp-$way"; then
      ok "libtorrent without TCP seeds ($way)"
      by_utp "… by uTP ($way)" "$stage/utp-$way.log"
    else
      fail "libtorrent without TCP seeds ($way)" "$(tail -1 "$stage/utp-$way.log")"
    fi
    kill "$pid"
    wait "$pid" 2>/dev/null
  done

  serve_ours --utp on || fail "libtorrent without TCP leeches" "our engine did not get ready"
  mkdir -p "$stage/utp-lt"
  if timeout 240 /usr/bin/python3 "$here/session.py" leech "$stage/set.torrent" "$stage/utp-lt" "127.0.0.1:$(free_port)" utp "127.0.0.1:$ours" \
    >"$stage/utp-lt.log" 2>&1 && same_set "$stage/utp-lt"; then
    ok "libtorrent without TCP leeches"
  else
    fail "libtorrent without TCP leeches" "$(tail -1 "$stage/utp-lt.log")"
  fi
  kill "$ours_pid"

  # Transmission is behind a relay that passes on datagrams only, as a router might, and no tracker names its own port.
  . "$here/transmission.sh"
  transmission_up "$stage/utp-tr"
  cp -r "$stage/source/set" "$stage/utp-tr/files/"
  transmission-remote "127.0.0.1:$transmission_rpc" -a "$stage/set.torrent" >/dev/null
  transmission-remote "127.0.0.1:$transmission_rpc" -t all -v >/dev/null
  wait_for 120 transmission_done
  port=$(free_port)
  /usr/bin/python3 "$here/relay.py" "$port" "$transmission_port" >"$stage/relay" 2>&1 &
  started+=($!)
  if fetch_ours "$stage/utp-from-tr" "magnet:?xt=urn:btih:$hash&x.pe=127.0.0.1:$port" && same_set "$stage/utp-from-tr"; then
    ok "Transmission seeds by uTP"
    by_utp "… by uTP (Transmission)" "$stage/utp-from-tr.log"
  else
    fail "Transmission seeds by uTP" "$(tail -1 "$stage/utp-from-tr.log")"
  fi
  kill "$transmission_pid"
}
