# A seeder that is found by a UDP tracker alone (BEP 15): opentracker answers by UDP at the port where it answers by HTTP.

check_udp() {
  local port pid
  port=$(free_port)
  /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "$port" >"$stage/udp-seed" 2>&1 &
  pid=$!
  started+=($pid)
  wait_for 60 seeder_known "$port" || fail "a UDP tracker names a seeder" "the tracker does not know it"
  if fetch_ours "$stage/udp-ours" --listen 127.0.0.1 "magnet:?xt=urn:btih:$hash&tr=udp%3A%2F%2F127.0.0.1%3A$tracker_port%2Fannounce" && same_set "$stage/udp-ours"; then
    ok "a UDP tracker names a seeder"
  else
    fail "a UDP tracker names a seeder" "$(tail -1 "$stage/udp-ours.log")"
  fi
  kill "$pid"
  wait "$pid" 2>/dev/null
}
