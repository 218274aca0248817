# The compose file with its rclone variant: two containers, and a third one that reads as a media server does. Sourced by .ci/containers.
check_mount() {
  if [ ! -c /dev/fuse ]; then
    cannot "mount" mount "the kernel does not offer FUSE: there is no /dev/fuse"
    return
  fi
  mkdir -p "$stage/mount" "$stage/clone/config"
  chown 1000:1000 "$stage/clone/config"
  mount_settings
  check "mount: docker compose up brings gateway and mount" mount_up
  # Without it everything below would only wait.
  health_is nzbdav-mount healthy || return
  # Before anything else is asked for, as a media server that started with them.
  docker run -d --name media --mount "type=bind,source=$stage/mount,target=/mnt/nzbdav,bind-propagation=rslave" --entrypoint sleep nzbdav infinity >/dev/null 2>&1
  check "mount: a media server reads the film" media_reads movies
  check "mount: what links name leads to the film" media_follows
  check "mount: stays while the gateway restarts, and a read goes on" mount_outlasts_gateway
  check "mount: comes back for media servers when its container restarts" mount_comes_back restart
  check "mount: comes back after its container was killed" mount_comes_back killed
  check "mount: docker compose stop ends both in time" mount_stops
  docker rm -fv media >/dev/null 2>&1
  mounted down -v >/dev/null 2>&1
}

# What a person writes into .env, and what only these checks need.
mount_settings() {
  printf '%s\n' "NZBDAV_PASSWORD='$password'" NZBDAV_USER=$user NZBDAV_PORT=127.0.0.1:0 NZBDAV_TORRENT_PORT=26879 "NZBDAV_MOUNT=$stage/mount" NZBDAV_MEMORY=256m >"$stage/clone/.env"
  cat >"$stage/check.yml" <<YAML
services:
  nzbdav:
    environment:
      NzbDav__Usenet__Providers__0__Host: $gateway_address
      NzbDav__Usenet__Providers__0__Port: "$provider_port"
      NzbDav__Usenet__Providers__0__UseTls: "false"
      NzbDav__Usenet__Providers__0__MaxConnections: "8"
    healthcheck:
      interval: 1s
  mount:
    healthcheck:
      interval: 1s
YAML
}

mounted() {
  compose --project-directory "$stage/clone" -p nzbdav-check -f "$stage/clone/docker-compose.yml" -f "$stage/clone/docker/compose.rclone.yml" -f "$stage/check.yml" "$@"
}

mount_up() {
  mounted up -d --no-build
  answers nzbdav
  until_true 60 health_is nzbdav-mount healthy || because "the mount is not healthy: $(docker logs nzbdav-mount 2>&1 | tail -n 3)"
  put_film movies
}

# media_sum PATH: what a media server reads below the mount.
media_sum() {
  docker exec media sha256sum "/mnt/nzbdav/dav/$1" | cut -d ' ' -f 1
}

# media_sees CATEGORY
media_sees() {
  docker exec media test -s "/mnt/nzbdav/dav/content/$1/Some Film/Some Film.bin" 2>/dev/null
}

# media_reads CATEGORY
media_reads() {
  until_true 60 media_sees "$1" || because "the film is not in the mount: $(docker exec media ls -R /mnt/nzbdav/dav/content 2>&1 | head -n 20 | xargs)"
  same "SHA-256 in the mount" "$film_sum" "$(media_sum "content/$1/Some Film/Some Film.bin")"
}

# Debian's rclone shows links as files; newer ones as links. Either way this is where they lead.
media_follows() {
  local target
  target=$(docker exec media sh -c 'cd "/mnt/nzbdav/dav/completed-symlinks/movies/Some Film" && { readlink "Some Film.bin" || cat "Some Film.bin.rclonelink"; }')
  [[ $target == /mnt/nzbdav/dav/.ids/* ]] || because "the link leads to: $target"
  same "SHA-256 there" "$film_sum" "$(media_sum "${target#/mnt/nzbdav/dav/}")"
}

mount_outlasts_gateway() {
  answers nzbdav
  put_film tv
  until_true 60 media_sees tv
  docker stop nzbdav >/dev/null
  # Begun while nobody answers.
  (media_sum "content/tv/Some Film/Some Film.bin" >"$stage/during") &
  docker start nzbdav >/dev/null
  wait $!
  same "SHA-256 of what was read meanwhile" "$film_sum" "$(cat "$stage/during")"
}

# mount_comes_back HOW
mount_comes_back() {
  answers nzbdav
  put_film "$1"
  if [ "$1" = killed ]; then
    docker kill nzbdav-mount >/dev/null
    docker start nzbdav-mount >/dev/null
  else
    docker restart nzbdav-mount >/dev/null
  fi
  media_reads "$1"
}

mount_stops() {
  mounted stop
  # rclone ends with 0, or with the signal if that came first; 137 would be a kill.
  local codes
  codes=$(docker inspect -f '{{.State.ExitCode}}' nzbdav nzbdav-mount | xargs)
  [ "$codes" = '0 0' ] || same "exit codes" '0 143' "$codes"
  same "what is left of the mount" '' "$(docker exec media ls /mnt/nzbdav/dav)"
}
