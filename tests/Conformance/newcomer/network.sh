# Namespaces for the run: a loopback of its own, and the machine's way to the package registries by a network in user space. Sourced by .ci/new-user.
namespace_pid=
network_pid=

install_for_new_user() {
  local pair missing=()
  for pair in slirp4netns:slirp4netns docker.io:dockerd docker-compose:docker-compose debootstrap:debootstrap iproute2:ip util-linux:unshare openssl:openssl curl:curl git:git; do
    command -v "${pair#*:}" >/dev/null || missing+=("${pair%:*}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" && return
  apt-get -o DPkg::Lock::Timeout=300 update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}"
}

# enter DOCUMENT…: runs this script again in the namespaces; ends as it does.
enter() {
  mkfifo "$stage/go"
  # shellcheck disable=SC2016
  unshare --net --mount --propagation private --pid --fork --kill-child --mount-proc \
    bash -c "$release_others"' && read -r _ <"$1/go" && exec "$2" --inside "$1" "${@:3}"' bash "$stage" "$root/.ci/new-user" "$@" </dev/null &
  namespace_pid=$!
  until_true 10 has_own_network
  slirp4netns --configure --mtu=65520 --disable-host-loopback "$namespace_pid" tap0 >"$stage/network.log" 2>&1 </dev/null &
  network_pid=$!
  until_true 10 network_is_up || cat "$stage/network.log"
  echo >"$stage/go"
  wait "$namespace_pid"
}

has_own_network() {
  [ "$(readlink "/proc/$namespace_pid/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

network_is_up() {
  nsenter --net="/proc/$namespace_pid/ns/net" ip -brief address show tap0 2>/dev/null | grep -q '[0-9]/'
}

leave() {
  local status=$?
  trap - EXIT
  for pid in $namespace_pid $network_pid; do
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
  done
  # Mounts went with the namespace.
  rm -rf --one-file-system "$stage"
  exit "$status"
}
