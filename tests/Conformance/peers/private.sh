# A private torrent (BEP 27) with DHT, peer exchange and local discovery on: every packet that leaves goes to its tracker or to the peer that it names. Without the flag packets do go
# elsewhere, so this counts them. Each machine has an address of one family: 1 the tracker, 2 the seeder, 3 ours, 4 a node of the DHT, another tracker and another peer: nobody listens there.

# check_private [four|six]: by default over both.
check_private() {
  local family
  for family in ${1:-four six}; do
    if ! network_up "$family" tracker seeder ours node 2>"$stage/network.log"; then
      cannot "a private torrent's packets go to its tracker and peers alone" netns "$(tail -1 "$stage/network.log")"
      network_down
      return
    fi
    check_private_over "$family"
    network_down
  done
}

# private_fetch NAME HASH SOURCE [ARGUMENTS…]: ours fetches it, and stays for 16 more seconds if it serves, while every packet is noted in $out-NAME.packets.
private_fetch() {
  local watcher
  start_on ours "$out-$1.packets" /usr/bin/python3 "$here/packets.py" "$2"
  watcher=$last
  wait_for 10 grep -q ready "$out-$1.packets"
  on ours timeout 360 dotnet exec "$tester" fetch --local --listen "$any" --dht "$node_is:6881" --out "$out-$1" "${@:3}" 2>&1 \
    < <(exec 2>/dev/null; wait_for 60 grep -q ' done$' "$out-$1.log"; exec sleep 16) | while IFS= read -r line; do
    echo "$(date +%s.%N) $line"
  done >"$out-$1.log"
  # The goodbye to the tracker is the last.
  kill "$watcher"
  wait "$watcher" 2>/dev/null
}

# elsewhere NAME [SECONDS]: packets to neither the tracker nor the seeder. From SECONDS on: only those that name the torrent, and TCP, whose contents may be encrypted. The node of the DHT
# that a public search once started still looks for other nodes.
elsewhere() {
  awk -v tracker="${tracker_is//[\[\]]/}" -v seeder="${seeder_is//[\[\]]/}" -v from="${2:-0}" \
    '$3 != "" && $3 != tracker && $3 != seeder && $1 >= from && (from == 0 || $2 == "tcp" || $4 == "named")' "$out-$1.packets"
}

check_private_over() {
  local family=$1 out="$stage/private-$1" any=0.0.0.0 prefix=198.18.77. suffix='' seeder served seeder_port private_hash described label
  label="IPv$([ "$family" = four ] && echo 4 || echo 6)"
  if [ "$family" = six ]; then
    any=:: prefix='[fd77::' suffix=']'
  fi
  local tracker_is="${prefix}1$suffix" seeder_is="${prefix}2$suffix" node_is="${prefix}4$suffix"
  /usr/bin/python3 "$here/private.py" "$stage/mock.torrent" "$out.bare" >"$out.hash"
  private_hash=$(cat "$out.hash")
  /usr/bin/python3 "$here/retrack.py" "$out.bare" "http://$tracker_is:6969/announce" "$out.torrent" >/dev/null
  /usr/bin/python3 "$here/retrack.py" "$stage/mock.torrent" "http://$tracker_is:6969/announce" "$out-public.torrent" >/dev/null
  start_on tracker "$out-tracker" /usr/bin/python3 "$here/tracker.py" "${tracker_is//[\[\]]/}" 6969 "${seeder_is//[\[\]]/}" 7001
  LT_RATE=4000000 start_on seeder "$out-seed" /usr/bin/python3 "$here/session.py" seed "$out.torrent" "$stage/source" "$seeder_is:7001"
  seeder=$last
  wait_for 60 grep -q done "$out-seed" || fail "a private torrent's packets go to its tracker and peers alone ($label)" "the seeder did not get ready" "$out-seed"

  private_fetch plain "$private_hash" "$out.torrent"
  if same_set "$out-plain" && [ "$(grep -c tcp "$out-plain.packets")" -gt 0 ] && [ -z "$(elsewhere plain)" ]; then
    ok "a private torrent's packets go to its tracker and peers alone ($label)"
  else
    fail "a private torrent's packets go to its tracker and peers alone ($label)" "$(elsewhere plain | head -3 | tr '\n' ';') $(tail -1 "$out-plain.log")"
  fi

  # libtorrent gives the metadata of a private torrent to nobody; ours does. Until it is there the torrent may be public.
  start_on seeder "$out-ours" dotnet exec "$tester" fetch --listen "$any" --cache "$out-cache" --serve "$out.torrent"
  served=$last
  wait_for 60 grep -q '^done' "$out-ours"
  seeder_port=$(sed -n 's/^port //p' "$out-ours")
  private_fetch magnet "$private_hash" "magnet:?xt=urn:btih:$private_hash&tr=http://$tracker_is:6969/announce&tr=http://$node_is:6969/announce&x.pe=$node_is:7001&x.pe=$seeder_is:$seeder_port" --cache "$out-magnet-cache" --serve
  described=$(awk '/described True|done$/ { printf "%.3f", $1 + 1; exit }' "$out-magnet.log")
  if same_set "$out-magnet" && [ -n "$described" ] && [ -n "$(elsewhere magnet)" ] && [ -z "$(elsewhere magnet "$described")" ]; then
    ok "a magnet link's torrent that turns out private is told to nobody else from then on ($label)"
  else
    fail "a magnet link's torrent that turns out private is told to nobody else from then on ($label)" "$(elsewhere magnet "${described:-1}" | head -3 | tr '\n' ';') $(tail -1 "$out-magnet.log")"
  fi

  kill "$seeder" "$served"
  wait "$seeder" "$served" 2>/dev/null
  LT_RATE=4000000 start_on seeder "$out-seed-public" /usr/bin/python3 "$here/session.py" seed "$out-public.torrent" "$stage/source" "$seeder_is:7001"
  wait_for 60 grep -q done "$out-seed-public"
  private_fetch public "$hash" "$out-public.torrent"
  if same_set "$out-public" && grep -q "udp ${node_is//[\[\]]/} named" <<<"$(elsewhere public)" && grep -Eq 'udp (239\.192\.152\.143|ff15::efc0:988f) named' <<<"$(elsewhere public)"; then
    ok "without the flag the same torrent's packets go to the DHT and to the local network ($label)"
  else
    fail "without the flag the same torrent's packets go to the DHT and to the local network ($label)" "$(elsewhere public | head -3 | tr '\n' ';') $(tail -1 "$out-public.log")"
  fi
}
