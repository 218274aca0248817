# A Docker engine of our own: its state, its socket, its process and mount namespaces and its bridge go when the run ends. The machine's own engine, if there is one,
# and its firewall are not touched. Sourced by .ci/containers.
bridge=nzb-ci-$(($$ % 100000))
gateway_address=172.29.$(($$ % 200)).1
engine_cgroup=/nzbdav-ci-$$
engine_pid=
# Where its images lie, if they are kept.
kept_engine=
# What the engine writes outside of its folder: hidden below empty folders in its own namespace, and removed if it was not there.
engine_places=(/etc/docker /opt/containerd /run/containerd /run/docker)
made_places=()

# The one that came with the engine: another client may come first on the path. Its builder is the one that every Docker has.
docker() {
  DOCKER_BUILDKIT=0 /usr/bin/docker -H "unix://$stage/docker.sock" "$@"
}

compose() {
  # Its own limit is a minute, which an engine that builds for two processors takes for a container at times.
  COMPOSE_HTTP_TIMEOUT=600 DOCKER_HOST=unix://$stage/docker.sock /usr/bin/docker-compose --ansi never "$@"
}

# For a new mount namespace. It copies the mounts of programs that run beside it: a file system in user space would not end before the copy goes.
release_others='awk "\$3 ~ /^fuse/ { print \$2 }" /proc/self/mounts | while read -r place; do umount -l "$(printf %b "$place")"; done'

# Before engine_up: its images stay for the next run. These are the stand-ins, and what the Dockerfile makes before it takes the sources: the packages of npm
# and of NuGet. The builder finds a layer by the command and the content that it was made of, and by nothing else, so none is ever stale. Who comes while
# another run has them begins without, and so does who comes after one that was killed.
keep_engine() {
  local place other
  place=$(kept_place "engine-$(dockerd --version | cksum | cut -d ' ' -f 1)")
  mkdir -p "$place" && chmod 700 "$place" || return
  exec 8>"$place/lock"
  flock -n 8 || return 0
  for other in "${place%/*}"/engine-*; do
    [ "$other" = "$place" ] || rm -rf --one-file-system "$other"
  done
  # Networks and volumes belong to a run.
  if [ -e "$place/whole" ]; then
    rm -rf --one-file-system "$place/whole" "$place"/data/{network,volumes}
  else
    rm -rf --one-file-system "$place/data"
  fi
  kept_engine=$place
}

# Leaves the images in good order: without containers, and without what changes with the sources.
leave_engine() {
  local daemon=
  docker info >/dev/null || return
  docker ps -aq | xargs -r /usr/bin/docker -H "unix://$stage/docker.sock" rm -fv
  docker rmi -f nzbdav nzbdav-arm64
  docker image prune -f
  # unshare waits for it.
  read -r daemon <"/proc/$engine_pid/task/$engine_pid/children"
  kill -TERM "$daemon" && until_true 15 gone_from_table "$daemon" && touch "$kept_engine/whole"
}

gone_from_table() {
  [ ! -e "/proc/$1" ]
}

# All containers together would get no more of the processors than one process beside them, and a build in one would take half an hour. As much as six.
weigh_engine() {
  local place=/sys/fs/cgroup/cpu
  if [ -e "$place/cpu.shares" ]; then
    mkdir -p "$place$engine_cgroup" && echo 6144 >"$place$engine_cgroup/cpu.shares"
  elif grep -qsw cpu /sys/fs/cgroup/cgroup.subtree_control; then
    mkdir -p "/sys/fs/cgroup$engine_cgroup" && echo 600 >"/sys/fs/cgroup$engine_cgroup/cpu.weight"
  fi
}

engine_up() {
  local place data=${kept_engine:-$stage}/data
  mkdir -p "$data" "$stage/exec"
  weigh_engine 2>/dev/null || :
  for place in "${engine_places[@]}"; do
    [ -d "$place" ] || made_places+=("$place")
    mkdir -p "$place"
  done
  ip link add "$bridge" type bridge && ip addr add "$gateway_address/24" dev "$bridge" && ip link set "$bridge" up || return
  # Mounts that a container makes are seen by the others, and by nobody outside.
  # shellcheck disable=SC2016
  setsid unshare --mount --propagation private --pid --fork --mount-proc --kill-child \
    sh -c "$release_others"' && mount --make-rshared / && for place in $1; do mount -t tmpfs tmpfs "$place" || exit; done && shift && exec "$@"' sh "${engine_places[*]}" \
    "$(command -v dockerd)" --data-root "$data" --exec-root "$stage/exec" --pidfile "$stage/docker.pid" --host "unix://$stage/docker.sock" \
    --bridge "$bridge" --default-address-pool "base=172.29.200.0/21,size=28" --iptables=false --ip-forward=false --ip-masq=false \
    --cgroup-parent "$engine_cgroup" >"$stage/engine.log" 2>&1 </dev/null &
  engine_pid=$!
  until_true 60 engine_answers && docker info >/dev/null 2>&1
}

engine_answers() {
  docker info >/dev/null 2>&1 || ! kill -0 "$engine_pid" 2>/dev/null
}

engine_down() {
  local network networks=() pid
  trap - EXIT
  # Checks that run beside, if this comes early.
  for pid in "${besides[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  if [ -n "$engine_pid" ]; then
    for network in $(docker network ls -q --filter driver=bridge 2>/dev/null); do
      networks+=("br-$network")
    done
    [ -z "$kept_engine" ] || leave_engine >"$stage/leave.log" 2>&1
    # What was started in it ends with it.
    kill -9 "$engine_pid" 2>/dev/null
    wait "$engine_pid" 2>/dev/null
    until_true 3 no_process_of_engine
  fi
  for pid in "${processes[@]}"; do
    kill "$pid" 2>/dev/null
  done
  for network in "$bridge" "${networks[@]}"; do
    ! ip link show "$network" >/dev/null 2>&1 || ip link del "$network"
  done
  find /sys/fs/cgroup -depth -type d -path "*$engine_cgroup*" -exec rmdir {} + 2>/dev/null
  [ ${#made_places[@]} -eq 0 ] || rmdir "${made_places[@]}" 2>/dev/null
  rm -rf --one-file-system "$stage"
}

no_process_of_engine() {
  ! grep -qs -- "$stage/exec" /proc/[0-9]*/cmdline
}

# Why no engine can run here; nothing if one can.
why_no_engine() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "Docker's engine needs root"
  elif ! command -v dockerd >/dev/null || [ ! -x /usr/bin/docker-compose ] || ! command -v debootstrap >/dev/null; then
    echo "docker.io, docker-compose and debootstrap cannot be installed"
  elif ! unshare --mount --pid --fork true 2>/dev/null; then
    echo "namespaces cannot be made here"
  fi
}
