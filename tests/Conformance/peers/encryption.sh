# Message-stream encryption: clients that require it, clients that have none, both ways.
for each in libtorrent transmission aria qbittorrent; do
  # shellcheck disable=SC1090
  . "$here/$each.sh"
done

# fetch_encrypted NAME PORT POLICY EXPECTED: ours fetches from one peer (the tracker of this .torrent is gone), and the connection was as expected (None, Handshake, Full).
fetch_encrypted() {
  local name=$1 out="$stage/encrypted-$RANDOM"
  if timeout 240 dotnet exec "$tester" fetch --out "$out" --encryption "$3" "$stage/mock.torrent" --peer "127.0.0.1:$2" >"$out.log" 2>&1 </dev/null && same_set "$out" \
    && grep -qx "encryption $4" "$out.log"; then
    ok "$name"
  else
    fail "$name" "$(grep -h '^encryption' "$out.log"; tail -1 "$out.log")"
  fi
}

# Those that require encryption seed to ours, one after the other.
check_encrypted_seeders() {
  local port rc4 plain pid aria_port

  # Alone: Transmission (3.00) turns away an address at which it knows another seeder.
  transmission_up "$stage/tr-rc4-seed" 2
  cp -r "$stage/source/set" "$stage/tr-rc4-seed/files/"
  transmission-remote "127.0.0.1:$transmission_rpc" -a "$stage/set.torrent" >/dev/null
  transmission-remote "127.0.0.1:$transmission_rpc" -t all -v >/dev/null
  wait_for 60 transmission_done
  fetch_encrypted "transmission with required encryption seeds" "$transmission_port" require Full
  kill "$transmission_pid"
  wait "$transmission_pid" 2>/dev/null

  rc4=$(free_port)
  plain=$(free_port)
  /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "$rc4" rc4 >"$stage/lt-rc4" 2>&1 &
  started+=($!)
  encrypted=($!)
  /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "$plain" plain >"$stage/lt-plain" 2>&1 &
  started+=($!)
  encrypted+=($!)
  aria_port=$(free_port)
  aria "$aria_port" --bt-require-crypto=true --bt-min-crypto-level=arc4 --check-integrity=true --seed-ratio=0.0 -d "$stage/source" "$stage/set.torrent" >"$stage/aria-rc4.log" 2>&1 &
  started+=($!)
  encrypted+=($!)
  qbittorrent_up "$stage/qb-rc4-seed" 1
  encrypted+=($qbittorrent_pid)
  cp -r "$stage/source/set" "$stage/qb-rc4-seed/files/"
  qbittorrent_add
  wait_for 60 grep -q done "$stage/lt-rc4"
  wait_for 60 grep -q done "$stage/lt-plain"
  wait_for 60 qbittorrent_done
  fetch_encrypted "libtorrent with RC4 only seeds" "$rc4" prefer Full
  fetch_encrypted "libtorrent without encryption seeds" "$plain" prefer None
  fetch_encrypted "aria2 with RC4 only seeds" "$aria_port" prefer Full
  fetch_encrypted "qbittorrent with required encryption seeds" "$qbittorrent_port" require Full
  for pid in "${encrypted[@]}"; do
    kill "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
}

# leech_encrypted NAME FOLDER COMMAND…: a client fetches from ours.
leech_encrypted() {
  local name=$1 folder=$2
  mkdir -p "$folder"
  if timeout 240 "${@:3}" >"$folder.log" 2>&1 && same_set "$folder"; then
    ok "$name"
  else
    fail "$name" "$(tail -1 "$folder.log")"
  fi
}

# check_encryption [seeders|leechers]: by default both.
check_encryption() {
  local part
  for part in ${1:-seeders leechers}; do
    "check_encrypted_$part"
  done
}

# They leech from ours.
check_encrypted_leechers() {
  transmission_up "$stage/tr-rc4-leech" 2
  transmission-remote "127.0.0.1:$transmission_rpc" -a "$stage/set.torrent" >/dev/null
  serve_ours --peer "127.0.0.1:$transmission_port" || fail "ours serves with encryption" "our engine did not get ready"
  local link="magnet:?xt=urn:btih:$hash&x.pe=127.0.0.1:$ours"
  leech_encrypted "libtorrent with RC4 only leeches" "$stage/lt-rc4-leech" /usr/bin/python3 "$here/session.py" leech "$link" "$stage/lt-rc4-leech" "$(free_port)" rc4
  leech_encrypted "libtorrent without encryption leeches" "$stage/lt-plain-leech" /usr/bin/python3 "$here/session.py" leech "$link" "$stage/lt-plain-leech" "$(free_port)" plain
  leech_encrypted "aria2 with RC4 only leeches" "$stage/aria-rc4-leech" bash -c "$(declare -f aria); aria $(free_port) --bt-require-crypto=true --bt-min-crypto-level=arc4 --seed-time=0 -d '$stage/aria-rc4-leech' '$stage/set.torrent'"
  qbittorrent_up "$stage/qb-rc4-leech" 1
  qbittorrent_add
  leech_encrypted "qbittorrent with required encryption leeches" "$stage/qb-rc4-leech/files" bash -c "$(declare -f qbittorrent_done wait_for); qbittorrent_web=$qbittorrent_web; wait_for 60 qbittorrent_done"
  leech_encrypted "transmission with required encryption leeches" "$stage/tr-rc4-leech/files" bash -c "$(declare -f transmission_done wait_for); transmission_rpc=$transmission_rpc; wait_for 60 transmission_done"
  kill "$qbittorrent_pid" "$transmission_pid" "$ours_pid"
}
