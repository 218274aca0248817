# Peers that are found by local discovery alone, over IPv4 and over IPv6: a magnet link without any address or tracker.

# check_local [four|six]: by default over both.
check_local() {
  local family
  for family in ${1:-four six}; do
    if ! network_up "$family" seeder leecher 2>"$stage/network.log"; then
      cannot "peers are found by local discovery alone" netns "$(tail -1 "$stage/network.log")"
      network_down
      return
    fi
    check_local_over "$family"
    network_down
  done
}

check_local_over() {
  local family=$1 out="$stage/lsd-$1" any=0.0.0.0 here_is=198.18.77.1 seeder
  if [ "$family" = six ]; then
    any=:: here_is="[fd77::1]"
  fi
  start_on seeder "$out-seed" /usr/bin/python3 "$here/session.py" seed "$stage/set.torrent" "$stage/source" "$here_is:7001" lsd
  seeder=$last
  wait_for 60 grep -q done "$out-seed" || fail "peers are found by local discovery alone" "the seeder did not get ready" "$out-seed"
  if on leecher timeout 240 dotnet exec "$tester" fetch --local --listen "$any" --out "$out-ours" "magnet:?xt=urn:btih:$hash" >"$out-ours.log" 2>&1 </dev/null && same_set "$out-ours"; then
    ok "ours finds libtorrent by local discovery alone (IPv$([ "$family" = four ] && echo 4 || echo 6))"
  else
    fail "ours finds libtorrent by local discovery alone ($family)" "$(tail -1 "$out-ours.log")"
  fi

  # Ours has it from that seeder, which then ends: only ours can serve.
  start_on leecher "$out-serve" dotnet exec "$tester" fetch --local --listen "$any" --cache "$out-cache" --serve "magnet:?xt=urn:btih:$hash"
  local ours=$last
  wait_for 60 grep -q '^done' "$out-serve" || fail "libtorrent finds ours by local discovery alone" "our engine did not get ready" "$out-serve"
  kill "$seeder"
  wait "$seeder" 2>/dev/null
  mkdir -p "$out-lt"
  if on seeder timeout 240 /usr/bin/python3 "$here/session.py" leech "magnet:?xt=urn:btih:$hash" "$out-lt" "$here_is:7011" lsd >"$out-lt.log" 2>&1 </dev/null && same_set "$out-lt"; then
    ok "libtorrent finds ours by local discovery alone (IPv$([ "$family" = four ] && echo 4 || echo 6))"
  else
    fail "libtorrent finds ours by local discovery alone ($family)" "$(tail -1 "$out-lt.log")"
  fi
  kill "$ours"
  wait "$ours" 2>/dev/null
}
