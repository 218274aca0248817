# The compose files of the gateway's own mount: mounted by the gateway, and by a helper beside a gateway without rights. A third container reads as a media server
# does. Sourced by .ci/containers, after mount.sh.
check_own_mount() {
  if [ ! -c /dev/fuse ]; then
    cannot "own mount" mount "the kernel does not offer FUSE: there is no /dev/fuse"
    return
  fi
  check_own_variant mount nzbdav "own mount"
  check_own_variant mount-helper nzbdav-mount "mount helper"
}

# check_own_variant FILE CONTAINER NAME: CONTAINER is the one that mounts.
check_own_variant() {
  local variant=$1 mounter=$2 name=$3 how tree=$stage/tree-$1
  rm -rf --one-file-system "$stage/clone/config"
  mkdir -p "$tree" "$stage/clone/config"
  chown 1000:1000 "$stage/clone/config"
  own_settings
  check "$name: docker compose up brings it" own_up
  until_true 10 own_is_mounted || return
  docker run -d --name media --mount "type=bind,source=$tree,target=/mnt/nzbdav,bind-propagation=rslave" --entrypoint sleep nzbdav infinity >/dev/null 2>&1
  check "$name: the gateway has the rights that it needs" own_rights
  check "$name: a media server reads the film" media_reads movies
  check "$name: what links name leads to the film" own_follows
  check "$name: comes back after somebody unmounted it" own_comes_back unmounted
  check "$name: comes back for media servers when the gateway restarts" own_comes_back restart nzbdav
  check "$name: comes back after the gateway was killed" own_comes_back kill nzbdav
  if [ "$mounter" != nzbdav ]; then
    for how in restart kill; do
      check "$name: comes back after $how of the helper" own_comes_back "$how" "$mounter"
    done
  fi
  check "$name: docker compose stop ends it in time" own_stops
  docker rm -fv media >/dev/null 2>&1
  with_variant down -v >/dev/null 2>&1
}

own_settings() {
  printf '%s\n' "NZBDAV_PASSWORD='$password'" NZBDAV_USER=$user NZBDAV_PORT=127.0.0.1:0 NZBDAV_TORRENT_PORT=26880 "NZBDAV_MOUNT=$tree" NZBDAV_MEMORY=256m >"$stage/clone/.env"
  cat >"$stage/check.yml" <<YAML
services:
  nzbdav:
    environment:
      NzbDav__Usenet__Providers__0__Host: $gateway_address
      NzbDav__Usenet__Providers__0__Port: "$provider_port"
      NzbDav__Usenet__Providers__0__UseTls: "false"
      NzbDav__Usenet__Providers__0__MaxConnections: "8"
YAML
}

with_variant() {
  compose --project-directory "$stage/clone" -p nzbdav-check -f "$stage/clone/docker-compose.yml" -f "$stage/clone/docker/compose.$variant.yml" -f "$stage/check.yml" "$@"
}

own_is_mounted() {
  docker exec "$mounter" grep -q ' /mnt/nzbdav/dav fuse.nzbdav' /proc/mounts
}

own_up() {
  with_variant up -d --no-build
  answers nzbdav
  until_true 60 own_is_mounted || because "there is no mount: $(docker logs "$mounter" 2>&1 | grep -i mount | tail -n 3)"
  put_film movies
}

# The one that mounts has SYS_ADMIN (bit 21) and nothing else; behind a helper nothing at all.
own_rights() {
  local mask=0000000000000000
  [ "$mounter" != nzbdav ] || mask=0000000000200000
  same "user, capabilities, new privileges" "1000 $mask 1" \
    "$(docker exec nzbdav sed -nE 's/^Uid:\s+([0-9]+).*/\1/p;s/^CapEff:\s+//p;s/^NoNewPrivs:\s+//p' /proc/1/status | xargs)"
  [ "$mounter" = nzbdav ] || same "devices of the gateway" '' "$(docker exec nzbdav sh -c 'ls /dev/fuse 2>/dev/null || :')"
}

own_follows() {
  local target
  target=$(docker exec media readlink '/mnt/nzbdav/dav/completed-symlinks/movies/Some Film/Some Film.bin')
  [[ $target == /mnt/nzbdav/dav/.ids/* ]] || because "the link leads to: $target"
  same "SHA-256 there" "$film_sum" "$(media_sum "${target#/mnt/nzbdav/dav/}")"
}

# own_comes_back HOW [CONTAINER]: HOW is also the category of a new film.
own_comes_back() {
  case $1 in
    unmounted)
      docker exec "$mounter" umount -l /mnt/nzbdav/dav
      ;;
    restart)
      docker restart "$2" >/dev/null
      ;;
    kill)
      docker kill "$2" >/dev/null
      docker start "$2" >/dev/null
      ;;
  esac
  answers nzbdav
  put_film "$1${2:+-$2}"
  media_reads "$1${2:+-$2}"
}

own_stops() {
  local began=$SECONDS
  with_variant stop
  [ $((SECONDS - began)) -lt 30 ] || because "it took $((SECONDS - began)) s"
  # 137 would be a kill.
  same "exit codes" '0 0' "$(docker inspect -f '{{.State.ExitCode}}' nzbdav "$mounter" | xargs)"
  same "what is left of the mount" '' "$(docker exec media ls /mnt/nzbdav/dav)"
}
