# Blocks of a document, in its order. What a block does decides what is checked; one that is not named here must end without an error. Sourced by .ci/new-user.

# blocks_of DOCUMENT FOLDER: each block of shell commands as LINE.sh.
blocks_of() {
  mkdir -p "$2"
  awk -v folder="$2" '
    /^ *```/ { if (file) { close(file); file = "" } else if ($0 ~ /^ *```(sh|bash) *$/) { indent = match($0, /`/) - 1; file = sprintf("%s/%04d.sh", folder, NR + 1); printf "" > file }; next }
    file { print substr($0, indent + 1) > file }' "$1"
}

# Each document begins with a fresh clone and without the state of the one before.
run_document() {
  local file line
  blocks_of "$root/$1" "$stage/blocks/$1"
  rm -rf "$system/home/anna/NzbDav/config"
  for file in "$stage/blocks/$1"/*.sh; do
    line=$(basename "$file" .sh)
    install -m 644 "$file" "$system/tmp/block.sh"
    run_block "$1:$((10#$line)) $(grep -v '^#' "$file" | tail -n 1 | cut -c 1-60)" "$file"
  done
  stop_serving
}

# run_block NAME FILE: starts what runs on outside of the check, which is a subshell.
run_block() {
  case $(cat "$2") in
    *'--project backend -- --demo'*)
      stop_serving
      start_serving demo /tmp/block.sh
      check "$1" demo_plays
      ;;
    *'dotnet run --project backend')
      stop_serving
      start_serving server /tmp/block.sh
      check "$1" server_is_set_up
      ;;
    *'docker compose up'*)
      stop_serving
      run_compose "$1" "$2"
      ;;
    *'rclone mount'*)
      need_server
      stop_mount
      start_mount /tmp/block.sh
      check "$1" mount_plays "$2"
      ;;
    *'curl -u me:PASSWORD -T'*)
      need_server
      check "$1" adds "$2"
      ;;
    'ls /mnt/nzbdav')
      check "$1" lists_the_mount
      ;;
    *'/health/ready'*)
      need_server
      check "$1" says_ready
      ;;
    *'migrate --from altmount'*)
      old_library
      need_server
      check "$1" runs
      ;;
    *mpv*)
      need_server
      check "$1" runs
      ;;
    *)
      check "$1" runs
      ;;
  esac
}

# The block as it is printed.
runs() {
  limited 300 bash -c "$(declare -f as_user); system=$system; as_user bash -e /tmp/block.sh"
}

demo_plays() {
  local file
  server_said 'Ctrl+C stops it'
  opens_page /
  for file in 'NzbDav Demo.mp4' 'NzbDav Demo.mkv'; do
    plays "/dav/content/movies/NzbDav%20Demo/${file// /%20}" "$root/backend/Host/Demo/Media/$file"
  done
}

# The line is the one that docs/getting-started.md shows.
server_is_set_up() {
  server_said 'There is no user who can sign in yet. Create the first user at http://localhost:8080/setup?token='
  set_up
}

# mount_plays FILE: the tree, or its content alone.
mount_plays() {
  local content=/content
  ! grep -q 'nzbdav:content' "$1" || content=
  until_true 60 is_mounted || because "it is not mounted: $(tail -n 3 "$stage/mount.log" | xargs -0)"
  as_user cat "/mnt/nzbdav$content/tv/Some Show/video.mkv" >"$stage/copy"
  same_bytes "the film in the mount" "$stage/video.mkv" "$stage/copy"
}

lists_the_mount() {
  same "what is listed" 'completed-symlinks content nzbs torrents' "$(runs | xargs)"
}

# adds FILE: what the document says is there afterwards.
adds() {
  runs
  plays '/dav/content/tv/Some%20Show/video.mkv' "$stage/video.mkv"
  ! grep -q 'Some Film.torrent' "$1" || plays '/dav/content/movies/Some%20Film/Some%20Film' "$(find "$stage/swarm" -type f | head -n 1)"
}

says_ready() {
  same "what it says" ready "$(runs 2>/dev/null | head -n 1 | grep -o '^ready\|"state":"ready"\|"status":"ready"' | grep -o ready | head -n 1)"
}

# run_compose NAME FILE: with our engine, from outside of the user's Debian; the user's ids are the same.
run_compose() {
  local why
  why=$(why_no_engine)
  if [ -n "$why" ]; then
    cannot "$1" containers "$why"
    return
  fi
  if [ -z "$engine_pid" ]; then
    { engine_up && import_stand_ins; } >"$stage/engine-up.log" 2>&1 || {
      fail "$1" "no engine: $(grep . "$stage/engine-up.log" | tail -n 1)" "$stage/engine-up.log"
      return
    }
    make_docker
  fi
  rm -rf "$stage/clone/config" "$stage/clone/.env"
  check "$1" compose_serves "$2"
  (cd "$stage/clone" && compose down) >/dev/null 2>&1
}

# The command "docker" as a new user has it: Debian's has Compose under another name. Steps of the image that fetch packages have no network in an engine without a
# firewall, so they were run before, and are in the builder's cache.
make_docker() {
  mkdir -p "$stage/bin"
  # shellcheck disable=SC2016
  printf '#!/bin/sh\n[ "$1" != compose ] || { shift; exec /usr/bin/docker-compose --ansi never "$@"; }\nexec /usr/bin/docker "$@"\n' >"$stage/bin/docker"
  printf 'services:\n  nzbdav:\n    build:\n      network: host\n' >"$stage/network.yml"
  chmod 755 "$stage" "$stage/bin" "$stage/bin/docker"
  chmod 666 "$stage/docker.sock"
  with_docker env NZBDAV_PASSWORD=x docker compose -f docker-compose.yml -f "$stage/network.yml" build >"$stage/image.log" 2>&1 || tail -n 20 "$stage/image.log"
}

# with_docker COMMAND…: in the clone, as a user of the same id. Another client would not find the same cache.
with_docker() {
  (cd "$stage/clone" && setpriv --reuid 1000 --regid 1000 --clear-groups env HOME="$stage/clone" PATH="$stage/bin:/usr/bin:/bin" DOCKER_HOST="unix://$stage/docker.sock" DOCKER_BUILDKIT=0 "$@")
}

# compose_serves FILE
compose_serves() {
  local token
  with_docker timeout -k 5 600 bash -e "$1"
  until_true 60 curl -sf -o /dev/null "$address/health" || because "it does not answer: $(docker logs nzbdav 2>&1 | tail -n 3)"
  token=$(docker logs nzbdav 2>&1 | sed -nE 's|.* http://localhost:8080/setup\?token=([^ ]+).*|\1|p' | head -n 1)
  opens_page "/setup?token=$token"
  [ -s "$stage/clone/config/nzbdav.sqlite" ] || because "there is no state in config: $(ls "$stage/clone/config")"
}
