# Magnet links without any address or tracker: each client seeds and knows one node of the DHT, which is ours; then libtorrent leeches from ours. Transmission asks no node on loopback: it and
# qBittorrent run on a machine of their own.

# dht_leech NAME [COMMAND…]: our engine, started by the command, asks for $dht_source (the magnet link if not set), and knows nobody; sets $node to its port.
dht_leech() {
  "${@:2}" dotnet exec "$tester" fetch --listen "${ours_at:-127.0.0.1}" --dht 127.0.0.1:9 --out "$stage/dht-$1" "${dht_source:-magnet:?xt=urn:btih:$hash}" >"$stage/dht-$1.log" 2>&1 </dev/null &
  leech_pid=$!
  started+=($leech_pid)
  wait_for 30 grep -q '^port' "$stage/dht-$1.log"
  node=$(sed -n 's/^port //p' "$stage/dht-$1.log")
}

# dht_found NAME PID: ours has all of it; the client ends. Ours searches again after 15, 30, 60 and 120 s: the last of these finds an announcement that has come late.
dht_found() {
  if wait_for 300 grep -q '^done' "$stage/dht-$1.log" && same_set "$stage/dht-$1"; then
    ok "ours finds $1 by the DHT alone"
  else
    fail "ours finds $1 by the DHT alone" "$(tail -1 "$stage/dht-$1.log")"
    kill "$leech_pid" 2>/dev/null
  fi
  wait "$leech_pid" 2>/dev/null
  kill "$2"
  wait "$2" 2>/dev/null
}

# check_dht [here|elsewhere]: by default both.
check_dht() {
  local part
  for part in ${1:-here elsewhere}; do
    "check_dht_$part"
  done
}

check_dht_here() {
  local pid
  dht_leech libtorrent
  /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "$(free_port)" "dht=127.0.0.1:$node" >"$stage/dht-lt-seed" 2>&1 &
  pid=$!
  started+=($pid)
  dht_found libtorrent "$pid"

  dht_leech aria2
  aria2c --enable-dht=true --enable-dht6=false --dht-entry-point="127.0.0.1:$node" --dht-file-path="$stage/aria-dht.dat" --dht-listen-port="$(free_port)" --bt-enable-lpd=false \
    --enable-peer-exchange=false --listen-port="$(free_port)" --check-integrity=true --seed-ratio=0.0 --summary-interval=0 --console-log-level=warn \
    --bt-exclude-tracker='*' -d "$stage/source" "$stage/set.torrent" >"$stage/dht-aria-seed" 2>&1 &
  pid=$!
  started+=($pid)
  dht_found aria2 "$pid"

  # Ours serves, libtorrent knows our node alone.
  serve_ours --listen 127.0.0.1 --dht 127.0.0.1:9 || fail "libtorrent finds ours by the DHT alone" "our engine did not get ready"
  mkdir -p "$stage/dht-lt"
  if timeout 240 /usr/bin/python3 "$here/session.py" leech "magnet:?xt=urn:btih:$hash" "$stage/dht-lt" "$(free_port)" "dht=127.0.0.1:$ours" >"$stage/dht-lt.log" 2>&1 && same_set "$stage/dht-lt"; then
    ok "libtorrent finds ours by the DHT alone"
  else
    fail "libtorrent finds ours by the DHT alone" "$(tail -1 "$stage/dht-lt.log")"
  fi
  kill "$ours_pid"
}

check_dht_elsewhere() {
  local ours_at=198.18.77.1 client_at=198.18.77.2 port
  # shellcheck disable=SC1091
  . "$here/transmission.sh"
  # shellcheck disable=SC1091
  . "$here/qbittorrent.sh"
  if ! network_up four ours client 2>"$stage/network.log"; then
    cannot "clients on machines of their own are found by the DHT alone" netns "$(tail -1 "$stage/network.log")"
    network_down
    return
  fi
  # Transmission announces itself after minutes, and takes long to give 3 MiB of metadata: ours has the .torrent, which names nobody.
  /usr/bin/python3 "$here/retrack.py" "$stage/set.torrent" "dht:127.0.0.1:9" "$stage/dht-alone.torrent" >/dev/null
  dht_source="$stage/dht-alone.torrent" dht_leech transmission ip netns exec "nzbdav-ours-$unit"
  mkdir -p "$stage/dht-tr/config"
  start_on ours "$stage/dht-nodes" /usr/bin/python3 "$here/nodes.py" 24 "$ours_at" "$ours_at:$node"
  wait_for 30 grep -q ready "$stage/dht-nodes"
  echo "$ours_at $node" >"$stage/dht-tr/config/dht.bootstrap"
  for port in $(sed -n 's/^ready //p' "$stage/dht-nodes"); do
    echo "$ours_at $port" >>"$stage/dht-tr/config/dht.bootstrap"
  done
  transmission_up "$stage/dht-tr" 0 true
  cp -r "$stage/source/set" "$stage/dht-tr/files/"
  on client transmission-remote "127.0.0.1:$transmission_rpc" -a "$stage/set.torrent" >/dev/null
  on client transmission-remote "127.0.0.1:$transmission_rpc" -t all -v >/dev/null
  dht_found transmission "$transmission_pid"
  kill "$last"
  wait "$last" 2>/dev/null

  # The .torrent names the node: this version has no setting for it.
  dht_leech qbittorrent ip netns exec "nzbdav-ours-$unit"
  qbittorrent_up "$stage/dht-qb" 0 true
  cp -r "$stage/source/set" "$stage/dht-qb/files/"
  /usr/bin/python3 "$here/retrack.py" "$stage/set.torrent" "dht:$ours_at:$node" "$stage/dht-qb/node.torrent" >/dev/null
  qbittorrent_add "$stage/dht-qb/node.torrent"
  dht_found qbittorrent "$qbittorrent_pid"
  network_down
}
