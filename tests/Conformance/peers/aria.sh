# aria2.

# In a process of its own: whoever ends that ends aria2c.
aria() {
  exec aria2c --enable-dht=false --enable-dht6=false --bt-enable-lpd=false --enable-peer-exchange=false --file-allocation=none \
    --listen-port="$1" --summary-interval=0 --console-log-level=warn "${@:2}"
}

check_aria() {
  local port pid
  port=$(free_port)
  aria "$port" --check-integrity=true --seed-ratio=0.0 -d "$stage/source" "$stage/set.torrent" >"$stage/aria-seed.log" 2>&1 &
  pid=$!
  started+=($pid)
  check_seeder aria2 "$port"
  kill "$pid"
  wait "$pid" 2>/dev/null

  serve_ours || fail "aria2 leeches" "our engine did not get ready"
  if timeout 240 aria2c --version >/dev/null && timeout 480 bash -c "$(declare -f aria); aria $(free_port) --seed-time=0 -d '$stage/aria' '$stage/set.torrent'" >"$stage/aria.log" 2>&1 \
    && same_set "$stage/aria"; then
    ok "aria2 leeches"
  else
    fail "aria2 leeches" "$(tail -1 "$stage/aria.log")"
  fi
  kill "$ours_pid"
}
