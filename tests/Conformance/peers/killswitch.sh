# Bound to an interface: when it goes, not one packet leaves by another. In network namespaces of its own: ours, a VPN's far end (10.77.1.2, where a seeder is), and a way out beside it
# (10.77.2.2), to which everything else is routed. ARP and IPv6 are off there, so that every packet that is counted is ours.

killswitch_up() {
  local name
  ours_ns=nzbdav-ours-$unit
  far_ns=nzbdav-far-$unit
  for name in "$ours_ns" "$far_ns"; do
    ip netns add "$name" 2>/dev/null || return 1
    ip -n "$name" link set lo up
    ip netns exec "$name" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 2>/dev/null
  done
  ip -n "$ours_ns" link add vpn0 type veth peer name far0 netns "$far_ns"
  ip -n "$ours_ns" link add out0 type veth peer name far1 netns "$far_ns"
  ip -n "$ours_ns" address add 10.77.1.1/24 dev vpn0
  ip -n "$far_ns" address add 10.77.1.2/24 dev far0
  ip -n "$ours_ns" address add 10.77.2.1/24 dev out0
  ip -n "$far_ns" address add 10.77.2.2/24 dev far1
  ip -n "$ours_ns" link set out0 arp off
  ip -n "$far_ns" link set far1 arp off
  ip -n "$ours_ns" link set vpn0 up
  ip -n "$ours_ns" link set out0 up
  ip -n "$far_ns" link set far0 up
  ip -n "$far_ns" link set far1 up
  ip -n "$ours_ns" route add default via 10.77.2.2 dev out0
}

killswitch_down() {
  ip netns delete "$ours_ns" 2>/dev/null
  ip netns delete "$far_ns" 2>/dev/null
}

# Packets that have left by the other way.
packets_out() {
  ip netns exec "$ours_ns" awk '$1 == "out0:" { print $11 }' /proc/net/dev
}

# killswitch_fetch NAME ARGUMENTS…: ours fetches from the seeder at the VPN's far end until killswitch_pid is ended.
killswitch_fetch() {
  rm -rf "$stage/$1"
  ip netns exec "$ours_ns" dotnet exec "$tester" fetch --out "$stage/$1" "${@:2}" "$stage/mock.torrent" --peer "10.77.1.2:$killswitch_port" >"$stage/$1.log" 2>&1 </dev/null &
  killswitch_pid=$!
  started+=($killswitch_pid)
}

# Something has come.
killswitch_receives() {
  grep -Eq 'received [1-9][0-9]{6}' "$stage/$1.log"
}

check_killswitch() {
  local seeder before
  if ! killswitch_up; then
    killswitch_down
    cannot namespaces "kill switch" "no network namespace may be made here"
    return
  fi
  killswitch_port=6999
  LT_RATE=1500000 ip netns exec "$far_ns" /usr/bin/python3 "$here/session.py" seed "$stage/mock.torrent" "$stage/source" "10.77.1.2:$killswitch_port" >"$stage/kill-seed" 2>&1 &
  seeder=$!
  started+=($seeder)
  wait_for 60 grep -q done "$stage/kill-seed"

  # Without it packets do leave by the other way: this counts them.
  ip -n "$ours_ns" link set vpn0 down
  killswitch_fetch kill-free
  if wait_for 15 eval '[ "$(packets_out)" -gt 0 ]'; then
    ok "without a bound interface packets leave by another one while the first is down"
  else
    fail "without a bound interface packets leave by another one while the first is down" "none was counted"
  fi
  kill "$killswitch_pid"
  wait "$killswitch_pid" 2>/dev/null

  ip -n "$ours_ns" link set vpn0 up
  before=$(packets_out)
  killswitch_fetch kill-bound --bind vpn0
  wait_for 30 killswitch_receives kill-bound
  ip -n "$ours_ns" link set vpn0 down
  if wait_for 15 grep -q 'the interface vpn0, which they are bound to, is down' "$stage/kill-bound.log"; then
    ok "a bound interface that goes is told as the reason"
  else
    fail "a bound interface that goes is told as the reason" "$(tail -1 "$stage/kill-bound.log")"
  fi
  sleep 4
  ip -n "$ours_ns" link set vpn0 up
  wait_for 60 grep -q '^done' "$stage/kill-bound.log"
  if [ "$(packets_out)" -eq "$before" ] && same_set "$stage/kill-bound"; then
    ok "bound to an interface that goes and comes back, everything comes and not one packet leaves elsewhere"
  else
    fail "bound to an interface that goes and comes back, everything comes and not one packet leaves elsewhere" "$(($(packets_out) - before)) packets; $(tail -1 "$stage/kill-bound.log")"
  fi
  kill "$killswitch_pid" "$seeder" 2>/dev/null
  wait "$killswitch_pid" "$seeder" 2>/dev/null
  killswitch_down
}
