# What the new user starts: the server from source, the demo, a mount. Each ends when the next block wants its place. Sourced by .ci/new-user.
address=http://localhost:8080
serving=
serving_group=
mounted=

# start_serving KIND FILE: a block that runs until Ctrl+C.
start_serving() {
  serving=$1
  setsid bash -c "$(declare -f as_user); system=$system; as_user bash -e '$2'" >"$stage/server.log" 2>&1 </dev/null &
  serving_group=$!
}

stop_serving() {
  stop_mount
  [ -n "$serving" ] || return 0
  kill -TERM -- "-$serving_group" 2>/dev/null
  until_true 30 nobody_left || kill -KILL -- "-$serving_group" 2>/dev/null
  wait "$serving_group" 2>/dev/null
  serving=
}

nobody_left() {
  ! kill -0 -- "-$serving_group" 2>/dev/null
}

# The group may not be there yet; its first process is.
no_server() {
  ! kill -0 "$serving_group" 2>/dev/null
}

# server_said TEXT: within the time that a first build takes.
server_said() {
  until_true "${2:-200}" server_said_or_ended "$1"
  grep -qF -- "$1" "$stage/server.log" || because "it does not say '$1': $(grep . "$stage/server.log" | tail -n 3 | xargs -0)"
}

server_said_or_ended() {
  grep -qF -- "$1" "$stage/server.log" || no_server
}

# A block that needs the server as it was set up finds it.
need_server() {
  [ "$serving" != server ] || return 0
  stop_serving
  echo 'dotnet run --project backend' >"$system/tmp/again.sh"
  start_serving server /tmp/again.sh
  until_true 120 curl -sf -o /dev/null "$address/health"
}

# What the set-up on the page does: an account, a provider, a user for players.
set_up() {
  local token key
  token=$(sed -nE 's|.* http://localhost:8080/setup\?token=([^ ]+).*|\1|p' "$stage/server.log" | head -n 1)
  opens_page "/setup?token=$token"
  curl -sSf -o /dev/null -H 'Content-Type: application/json' -d "{\"token\":\"$token\",\"username\":\"anna\",\"password\":\"a long password\"}" "$address/api/v1/setup"
  key=$(cat "$system/home/anna/NzbDav/config/keys/api")
  curl -sSf -o /dev/null -X PATCH -H "X-Api-Key: $key" -H 'Content-Type: application/json' "$address/api/v1/settings" -d "{
    \"Usenet:Providers:0:Host\": \"127.0.0.1\", \"Usenet:Providers:0:Port\": $provider_port, \"Usenet:Providers:0:UseTls\": false, \"Usenet:Providers:0:MaxConnections\": 4,
    \"WebDav:Username\": \"me\", \"WebDav:Password\": \"PASSWORD\", \"Torrents:PrivateHosts\": \"127.0.0.1\" }"
  # Dropped on the page.
  curl -sSf -o /dev/null -H "X-Api-Key: $key" -F category=tv -F "file=@$system/home/anna/NzbDav/Some Show.nzb" "$address/api/v1/jobs"
  plays '/dav/content/tv/Some%20Show/video.mkv' "$stage/video.mkv"
}

# opens_page PATH: in a browser; it is the page that was built, not the notice that there is none.
opens_page() {
  curl -sSf -H 'Accept: text/html' -o "$stage/page" "$address$1"
  grep -q '<script' "$stage/page" || because "$1 is not the page: $(tail -n 5 "$stage/server.log" | xargs -0) $(head -c 300 "$stage/page")"
}

# plays PATH SOURCE: opens within a minute, with the bytes of SOURCE.
plays() {
  until_true 60 curl -sf -u me:PASSWORD -r 0-0 -o /dev/null "$address$1" || because "$1 does not open: $(curl -sS -u me:PASSWORD -o /dev/null -w '%{http_code}' "$address$1")"
  curl -sSf --max-time 60 -u me:PASSWORD -o "$stage/copy" "$address$1"
  same_bytes "$1" "$2" "$stage/copy"
}

start_mount() {
  mounted=1
  setsid bash -c "$(declare -f as_user); system=$system; as_user bash -e '$1'" >"$stage/mount.log" 2>&1 </dev/null &
}

stop_mount() {
  [ -n "$mounted" ] || return 0
  as_user fusermount3 -u /mnt/nzbdav 2>/dev/null
  mounted=
}

# Nobody but the user may look at the mount itself, not even root.
is_mounted() {
  grep -q '/mnt/nzbdav fuse' /proc/self/mounts
}
