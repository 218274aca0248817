# Machines of a network of their own: namespaces on one bridge, without a way out. Sourced by stage.sh. Needs root.

machines=()

network_down() {
  local machine
  for machine in "${machines[@]}"; do
    ip netns delete "$machine" 2>/dev/null
  done
  machines=()
}

# network_up four|six NAME…: machines with addresses of one family alone, in the order of their names. IPv4: 198.18.77.1 and so on, which no client takes for a private network, so that
# they may be told to others; IPv6: fd77::1 and so on.
network_up() {
  local family=$1 number=0 name hub="nzbdav-hub-$unit"
  shift
  ip netns add "$hub" || return 1
  machines+=("$hub")
  ip -n "$hub" link add bridge0 type bridge mcast_snooping 0 && ip -n "$hub" link set bridge0 up || return 1
  for name in "$@"; do
    number=$((number + 1))
    ip netns add "nzbdav-$name-$unit" || return 1
    machines+=("nzbdav-$name-$unit")
    ip -n "$hub" link add "to-$name" type veth peer name eth0 netns "nzbdav-$name-$unit" || return 1
    ip -n "$hub" link set "to-$name" master bridge0 up
    ip -n "nzbdav-$name-$unit" link set lo up
    if [ "$family" = four ]; then
      ip netns exec "nzbdav-$name-$unit" sysctl -q net.ipv6.conf.all.disable_ipv6=1 2>/dev/null
      ip -n "nzbdav-$name-$unit" addr add "198.18.77.$number/24" dev eth0
    else
      ip -n "nzbdav-$name-$unit" addr add "fd77::$number/64" dev eth0 nodad
    fi
    ip -n "nzbdav-$name-$unit" link set eth0 up
    # To all groups.
    [ "$family" != four ] || ip -n "nzbdav-$name-$unit" route add 224.0.0.0/4 dev eth0
  done
}

# on NAME COMMAND…: runs it there, in its place.
on() {
  local name=$1
  shift
  ip netns exec "nzbdav-$name-$unit" "$@"
}

# start_on NAME LOG COMMAND…: starts it there with an input that stays open; sets $last to its process.
start_on() {
  local name=$1 log=$2
  shift 2
  ip netns exec "nzbdav-$name-$unit" "$@" <>"$stage/open" >"$log" 2>&1 &
  last=$!
  started+=($last)
}
