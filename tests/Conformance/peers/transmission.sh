# transmission-daemon, driven by transmission-remote.

# transmission_up FOLDER [ENCRYPTION] [DHT]: 0 takes what comes, 1 prefers encryption, 2 requires it; true = with the DHT. With $client_at it runs on the machine "client", at that address.
transmission_up() {
  local folder=$1
  transmission_rpc=$(free_port)
  transmission_port=$(free_port)
  mkdir -p "$folder/config" "$folder/files"
  cat >"$folder/config/settings.json" <<END
{ "rpc-port": $transmission_rpc, "rpc-bind-address": "127.0.0.1", "rpc-authentication-required": false, "peer-port": $transmission_port,
  "dht-enabled": ${3:-false}, "lpd-enabled": false, "pex-enabled": false, "utp-enabled": true, "port-forwarding-enabled": false, "encryption": ${2:-0},
  "bind-address-ipv4": "${client_at:-127.0.0.1}", "bind-address-ipv6": "$([ -n "${client_at:-}" ] && echo :: || echo ::1)", "download-dir": "$folder/files", "ratio-limit-enabled": false }
END
  ${client_at:+ip netns exec "nzbdav-client-$unit"} transmission-daemon -f -g "$folder/config" >"$folder/log" 2>&1 &
  transmission_pid=$!
  started+=($transmission_pid)
  wait_for 120 ${client_at:+on client} transmission-remote "127.0.0.1:$transmission_rpc" -l
}

transmission_done() {
  transmission-remote "127.0.0.1:$transmission_rpc" -l | grep -q ' 100% '
}

check_transmission() {
  transmission_up "$stage/tr-seed"
  cp -r "$stage/source/set" "$stage/tr-seed/files/"
  transmission-remote "127.0.0.1:$transmission_rpc" -a "$stage/set.torrent" >/dev/null
  transmission-remote "127.0.0.1:$transmission_rpc" -t all -v >/dev/null
  wait_for 120 transmission_done
  check_seeder transmission "$transmission_port"
  kill "$transmission_pid"
  wait "$transmission_pid" 2>/dev/null

  # Transmission takes no address of loopback from a tracker: it has to be dialled.
  transmission_up "$stage/tr-leech"
  transmission-remote "127.0.0.1:$transmission_rpc" -a "$stage/set.torrent" >/dev/null
  serve_ours --peer "127.0.0.1:$transmission_port" || fail "transmission leeches" "our engine did not get ready"
  if wait_for 120 transmission_done && same_set "$stage/tr-leech/files"; then
    ok "transmission leeches"
  else
    fail "transmission leeches" "$(transmission-remote "127.0.0.1:$transmission_rpc" -l | tail -2 | head -1)"
  fi
  kill "$transmission_pid" "$ours_pid"
}
