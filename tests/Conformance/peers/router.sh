# Debian's miniupnpd on a router of a network of its own, and ours behind it: the port is asked for by UPnP, and by PCP where the router speaks that too, is open to a machine outside, and is
# given back at the end. By IPv6, which translates nothing, both are asked to let peers in. The router forwards nothing that was not asked for. Its outer address is a public one, which miniupnpd insists on; nothing leaves the namespaces.

router_up() {
  local name
  router_ns=nzbdav-router-$unit inside_ns=nzbdav-inside-$unit outside_ns=nzbdav-outside-$unit
  for name in "$router_ns" "$inside_ns" "$outside_ns"; do
    ip netns add "$name" || return 1
    machines+=("$name")
    ip -n "$name" link set lo up
  done
  ip -n "$router_ns" link add lan0 type veth peer name eth0 netns "$inside_ns" &&
    ip -n "$router_ns" link add wan0 type veth peer name eth0 netns "$outside_ns" || return 1
  ip -n "$router_ns" addr add 10.78.1.1/24 dev lan0
  ip -n "$router_ns" addr add 11.12.13.1/24 dev wan0
  ip -n "$inside_ns" addr add 10.78.1.2/24 dev eth0
  ip -n "$outside_ns" addr add 11.12.13.2/24 dev eth0
  ip -n "$router_ns" addr add fe80::1/64 dev lan0 nodad
  ip -n "$router_ns" addr add 2a0e:78::1/64 dev lan0 nodad
  ip -n "$router_ns" addr add 2a0e:99::1/64 dev wan0 nodad
  ip -n "$inside_ns" addr add 2a0e:78::2/64 dev eth0 nodad
  ip -n "$outside_ns" addr add 2a0e:99::2/64 dev eth0 nodad
  ip -n "$router_ns" link set lan0 up
  ip -n "$router_ns" link set wan0 up
  ip -n "$inside_ns" link set eth0 up
  ip -n "$outside_ns" link set eth0 up
  ip -n "$inside_ns" route add default via 10.78.1.1
  ip -n "$inside_ns" route add default via fe80::1 dev eth0
  ip -n "$outside_ns" route add default via 2a0e:99::1
  ip -n "$router_ns" route add 224.0.0.0/4 dev lan0
  ip netns exec "$router_ns" sysctl -qw net.ipv6.conf.all.forwarding=1
  ip netns exec "$router_ns" sysctl -qw net.ipv4.ip_forward=1
  ip netns exec "$router_ns" nft -f - <<'RULES'
table inet filter {
  chain forward { type filter hook forward priority 0; policy drop; ct state established,related accept; iifname lan0 accept; meta l4proto ipv6-icmp accept; jump asked; }
  chain prerouting { type nat hook prerouting priority -100; jump asked_in; }
  chain postrouting { type nat hook postrouting priority 100; jump asked_out; oifname wan0 masquerade; }
  chain input { type filter hook input priority 0; jump closed; }
  chain closed { }
  chain asked { }
  chain asked_in { }
  chain asked_out { }
}
RULES
  # The kernel says a moment later that a link is up.
  wait_for 5 eval 'ip -n "$inside_ns" link show eth0 | grep -q "state UP"'
}

# router_serves yes|no: starts miniupnpd with UPnP, and with PCP and NAT-PMP or without; sets $router_pid.
router_serves() {
  cat >"$stage/miniupnpd.conf" <<CONF
ext_ifname=wan0
ext_ifname6=wan0
listening_ip=lan0
http_port=5000
enable_upnp=yes
enable_natpmp=$1
secure_mode=yes
system_uptime=yes
uuid=00000000-0000-0000-0000-000000000001
upnp_table_name=filter
upnp_nat_table_name=filter
upnp_forward_chain=asked
upnp_nat_chain=asked_in
upnp_nat_postrouting_chain=asked_out
allow 1024-65535 10.78.1.0/24 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
CONF
  # By IPv6 Debian's speaks PCP whether it is told to or not.
  ip netns exec "$router_ns" nft flush chain inet filter closed
  [ "$1" = yes ] || ip netns exec "$router_ns" nft add rule inet filter closed meta nfproto ipv6 udp dport 5351 reject
  ip netns exec "$router_ns" miniupnpd -d -f "$stage/miniupnpd.conf" -P "$stage/miniupnpd.pid" >"$stage/miniupnpd.log" 2>&1 &
  router_pid=$!
  started+=($router_pid)
  wait_for 10 eval 'ip netns exec "$router_ns" ss -Hlt "sport = :5000" | grep -q .'
}

# The rules that lead in, without those that miniupnpd made for others.
router_rules() {
  ip netns exec "$router_ns" nft list chain inet filter asked_in | grep -o 'dnat .*'
}

router_is_open() {
  [ "$(router_rules | grep -c "10.78.1.2:$1\$")" -eq 2 ]
}

router_is_shut() {
  [ -z "$(router_rules)" ]
}

# Somebody outside connects to a port of the router's.
# router_lets_in PORT [SECONDS]: a busy machine takes a while; where nothing is let in, nobody waits for long.
router_lets_in() {
  ip netns exec "$outside_ns" timeout $((${2:-2} + 10)) /usr/bin/python3 -c \
    'import socket, sys; socket.create_connection(("11.12.13.1", int(sys.argv[1])), int(sys.argv[2]))' "$1" "${2:-2}"
}

router_lets_in_six() {
  ip netns exec "$outside_ns" timeout $((${2:-2} + 10)) /usr/bin/python3 -c \
    'import socket, sys; socket.create_connection(("2a0e:78::2", int(sys.argv[1])), int(sys.argv[2]))' "$1" "${2:-2}"
}

router_is_shut_six() {
  ! ip netns exec "$router_ns" nft list chain inet filter asked | grep -q 2a0e:78::2
}

# check_router_by METHOD
check_router_by() {
  local method=$1 log="$stage/router-$1.log" ours port
  mkfifo "$stage/router-$1.in"
  ip netns exec "$inside_ns" dotnet exec "$tester" fetch "$stage/mock.torrent" --idle --map <"$stage/router-$1.in" >"$log" 2>&1 &
  ours=$!
  started+=($ours)
  exec 9>"$stage/router-$1.in"
  # On a busy machine the first search may find nobody; ours searches again after half a minute.
  wait_for 90 grep -q '^The router opened its port' "$log"
  port=$(sed -n 's/^port //p' "$log")
  if grep -qi "by $method: 11.12.13.1, TCP $port, UDP $port" "$log" && router_is_open "$port"; then
    ok "miniupnpd opens both ports to ours by $method"
  else
    fail "miniupnpd opens both ports to ours by $method" "$(grep -v ^described "$log" | tail -3 | tr "\n" ";")" "$stage/miniupnpd.log"
  fi
  if router_lets_in "$port" 20; then
    ok "a machine outside reaches ours by the port that $method opened"
  else
    fail "a machine outside reaches ours by the port that $method opened" "no connection"
  fi
  wait_for 30 grep -q '^The router lets peers in by IPv6' "$log"
  if grep -qi "by IPv6 ($method): 2a0e:78::2" "$log" && router_lets_in_six "$port" 20; then
    ok "a machine outside reaches ours by IPv6 through the pinhole that $method made"
  else
    fail "a machine outside reaches ours by IPv6 through the pinhole that $method made" \
      "$(grep -v ^described "$log" | tail -3 | tr "\n" ";")" "$stage/miniupnpd.log"
  fi
  exec 9>&-
  wait "$ours" 2>/dev/null
  if wait_for 5 router_is_shut_six && ! router_lets_in_six "$port" 2>/dev/null; then
    ok "ours closes its pinholes by $method at its end"
  else
    fail "ours closes its pinholes by $method at its end" "$(ip netns exec "$router_ns" nft list chain inet filter asked)" "$stage/miniupnpd.log"
  fi
  if wait_for 5 router_is_shut && ! router_lets_in "$port" 2>/dev/null; then
    ok "ours gives the ports back to miniupnpd by $method at its end"
  else
    fail "ours gives the ports back to miniupnpd by $method at its end" "$(router_rules)" "$stage/miniupnpd.log"
  fi
}

check_router() {
  local speaks
  if ! router_up 2>"$stage/network.log"; then
    cannot "a router opens the port" netns "$(tail -1 "$stage/network.log")"
    network_down
    return
  fi
  for speaks in no yes; do
    if router_serves "$speaks"; then
      check_router_by "$([ "$speaks" = yes ] && echo pcp || echo upnp)"
    else
      fail "miniupnpd starts" "it does not listen" "$stage/miniupnpd.log"
    fi
    kill "$router_pid" 2>/dev/null
    wait "$router_pid" 2>/dev/null
  done
  network_down
}
