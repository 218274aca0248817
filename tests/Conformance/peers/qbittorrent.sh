# qbittorrent-nox, driven by its web API.

# qbittorrent_up FOLDER [ENCRYPTION] [DHT]: 0 takes what comes, 1 requires encryption; true = with the DHT. With $client_at it runs on the machine "client".
qbittorrent_up() {
  local folder=$1 interface=lo
  [ -z "${client_at:-}" ] || interface=eth0
  qbittorrent_web=$(free_port)
  qbittorrent_port=$(free_port)
  mkdir -p "$folder/qBittorrent/config" "$folder/files"
  cat >"$folder/qBittorrent/config/qBittorrent.conf" <<END
[BitTorrent]
Session\\DHTEnabled=${3:-false}
Session\\LSDEnabled=false
Session\\PeXEnabled=false
Session\\Port=$qbittorrent_port
Session\\Interface=$interface
Session\\InterfaceName=$interface
Session\\Encryption=${2:-0}
Session\\DefaultSavePath=$folder/files
Session\\MultiConnectionsPerIp=true
[LegalNotice]
Accepted=true
[Preferences]
WebUI\\Port=$qbittorrent_web
WebUI\\Address=127.0.0.1
WebUI\\LocalHostAuth=false
END
  ${client_at:+ip netns exec "nzbdav-client-$unit"} qbittorrent-nox --profile="$folder" >"$folder/log" 2>&1 &
  qbittorrent_pid=$!
  started+=($qbittorrent_pid)
  wait_for 120 ${client_at:+on client} curl -sf "http://127.0.0.1:$qbittorrent_web/api/v2/app/version"
}

qbittorrent_done() {
  curl -sf "http://127.0.0.1:$qbittorrent_web/api/v2/torrents/info" | grep -q '"progress":1[,}]'
}

# qbittorrent_add [TORRENT]
qbittorrent_add() {
  ${client_at:+on client} curl -sf -F "torrents=@${1:-$stage/set.torrent}" "http://127.0.0.1:$qbittorrent_web/api/v2/torrents/add" >/dev/null
}

check_qbittorrent() {
  qbittorrent_up "$stage/qb-seed"
  cp -r "$stage/source/set" "$stage/qb-seed/files/"
  qbittorrent_add
  wait_for 120 qbittorrent_done
  check_seeder qbittorrent "$qbittorrent_port"
  kill "$qbittorrent_pid"
  wait "$qbittorrent_pid" 2>/dev/null

  serve_ours || fail "qbittorrent leeches" "our engine did not get ready"
  qbittorrent_up "$stage/qb-leech"
  qbittorrent_add
  if wait_for 120 qbittorrent_done && same_set "$stage/qb-leech/files"; then
    ok "qbittorrent leeches"
  else
    fail "qbittorrent leeches" "$(curl -s "http://127.0.0.1:$qbittorrent_web/api/v2/torrents/info" | head -c 300)"
  fi
  kill "$qbittorrent_pid" "$ours_pid"
}
