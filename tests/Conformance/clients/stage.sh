# The stage: sources, mock providers, the server; all in one temporary folder, all stopped by process id. Sourced by run.
stage=$(mktemp -d "${TMPDIR:-/tmp}/nzbdav-clients.XXXXXX")
sources=$stage/sources
config=$stage/config
user='guest'
password='pass word: ä?'
category=movies
job='Big Show'
big='Seeded file.bin'
odd="Ünï cödé #1 100% [a+b] & it's.txt"
mp4='NzbDav Demo.mp4'
mkv='NzbDav Demo.mkv'
url=
server=
# The server's providers, as environment settings.
provider_settings=()
processes=()
mounts=()

stage_down() {
  local pid place
  for pid in "${besides[@]}"; do
    kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
  done
  for place in "${mounts[@]}"; do
    ! mountpoint -q "$place" || umount -l "$place" 2>/dev/null
  done
  [ -z "$server" ] || processes+=("$server")
  for pid in "${processes[@]}"; do
    kill "$pid" 2>/dev/null
  done
  for pid in "${processes[@]}"; do
    until_true 3 gone "$pid" || kill -9 "$pid" 2>/dev/null
  done
  rm -rf "$stage"
}
trap stage_down EXIT
trap 'exit 130' INT TERM HUP

gone() {
  ! kill -0 "$1" 2>/dev/null
}

# Ends the run: without a stage there is nothing to check.
no_stage() {
  fail stage "$@"
  exit 1
}

stage_up() {
  make_programs >"$stage/build.log" 2>&1 || no_stage "the programs cannot be built" "$stage/build.log"
  make_sources 2>"$stage/sources.log" || no_stage "the sources cannot be made" "$stage/sources.log"
  # The main provider is like a real one: TLS, a login, a cap on connections, a round trip. The other one has what the main one lacks.
  mock main "$stage/$job.nzb" --tls --username account --password 'secret word' --max-connections 8 --latency 5 \
    --file "$sources/$big" "$sources/$mp4" "$sources/$mkv" "$sources/$odd"
  main_port=$mock_port
  mock other "$stage/Second.nzb" --latency 5 --article-size 100K --file "$sources/Second.bin"
  other_port=$mock_port
  provider_settings=(
    NzbDav__Torrents__ListenAddress=127.0.0.1 NzbDav__Torrents__Dht=false NzbDav__Torrents__LocalDiscovery=false
    NzbDav__Usenet__Providers__0__Name=main NzbDav__Usenet__Providers__0__Host=127.0.0.1 NzbDav__Usenet__Providers__0__Port="$main_port"
    NzbDav__Usenet__Providers__0__VerifyCertificate=false NzbDav__Usenet__Providers__0__MaxConnections=8
    NzbDav__Usenet__Providers__0__Username=account NzbDav__Usenet__Providers__0__Password='secret word'
    NzbDav__Usenet__Providers__1__Name=other NzbDav__Usenet__Providers__1__Host=127.0.0.1 NzbDav__Usenet__Providers__1__Port="$other_port"
    NzbDav__Usenet__Providers__1__UseTls=false NzbDav__Usenet__Providers__1__MaxConnections=4 NzbDav__Usenet__Providers__1__Priority=1
  )
  start_server || no_stage "the server does not start" "$stage/server.log"
  check "server: ready with its providers" until_true 60 server_ready
  check "server: takes an .nzb" put_nzb "$stage/$job.nzb" "$category"
  check "server: publishes its files" until_true 60 published "content/$category/$(escaped "$job")/$(escaped "$odd")"
}

make_programs() {
  local project
  [ -z "${NZBDAV_BUILT:-}" ] || return 0
  for project in backend/NzbDav.csproj tools/MockUsenet/NzbDav.MockUsenet.csproj; do
    dotnet build "$root/$project" -nodeReuse:false -v quiet -nologo || return
  done
}

make_sources() {
  mkdir -p "$sources" &&
    seeded 1 $(((64 << 20) + 12345)) >"$sources/$big" &&
    seeded 2 9000001 >"$sources/Second.bin" &&
    seeded 3 5000 >"$sources/$odd" &&
    cp "$root/backend/Host/Demo/Media/$mp4" "$root/backend/Host/Demo/Media/$mkv" "$sources/"
}

# seeded SEED SIZE: the same bytes each time, and none that could be compressed or mistaken for others.
seeded() {
  head -c "$2" /dev/zero | openssl enc -aes-128-ctr -K "$(printf %032x "$1")" -iv 0
}

# mock NAME NZB OPTION…: starts a provider, sets mock_port.
mock() {
  local name=$1 nzb=$2 log=$stage/mock-$1.log
  shift 2
  "$root/tools/MockUsenet/bin/Debug/net10.0/nzbdav-mock-usenet" "$@" --nzb-out "$nzb" >"$log" 2>&1 </dev/null &
  processes+=($!)
  until_true 60 grep -qs '^{' "$log" || no_stage "the mock provider $name does not start" "$log"
  mock_port=$(sed -nE 's/.*"ports":\[([0-9]+).*/\1/p' "$log")
}

# start_server: on the port it had before, if it ran before. Sets url and server.
start_server() {
  : >"$stage/server.log"
  env NzbDav__WebDav__Username="$user" NzbDav__WebDav__Password="$password" NzbDav__WebDav__Scratch=true NzbDav__WebDav__MountPath="$stage/mount-off" \
    "${provider_settings[@]}" \
    "$root/backend/bin/Debug/net10.0/nzbdav" --config "$config" --urls "${url:-http://127.0.0.1:0}" >"$stage/server.log" 2>&1 </dev/null &
  server=$!
  until_true 60 server_spoke || return 1
  url=$(sed -nE 's|^NzbDav serves WebDAV at (.*)/dav/$|\1|p' "$stage/server.log" | head -n 1)
  dav=$url/dav
  [ -n "$url" ]
}

server_spoke() {
  grep -qs '^NzbDav serves WebDAV at ' "$stage/server.log" || gone "$server"
}

server_ready() {
  http -f -o /dev/null "$url/health/ready"
}

# stop_server SIGNAL: returns its exit code.
stop_server() {
  local pid=$server status=0
  kill "-$1" "$pid"
  wait "$pid" 2>/dev/null || status=$?
  server=
  return $status
}

# Whether the kernel offers FUSE and lets us mount; sets why_no_fuse.
fuse_offered() {
  why_no_fuse=
  if [ ! -c /dev/fuse ]; then
    why_no_fuse="the kernel does not offer it: there is no /dev/fuse"
  elif ! (exec 3<>/dev/fuse) 2>/dev/null; then
    why_no_fuse="/dev/fuse cannot be opened"
  elif ! unshare --mount true 2>/dev/null; then
    why_no_fuse="mounting is not permitted here"
  fi
  [ -z "$why_no_fuse" ]
}

# curl as everybody uses it here: with the password, in silence, not for ever.
http() {
  curl -sS --max-time 60 -u "$user:$password" "$@"
}

# slow_reader RATE: a curl of its own is in the middle of the big file, which it writes to copy; sets reader to its process.
slow_reader() {
  rm -f "$stage/copy"
  curl -sSf -u "$user:$password" --limit-rate "$1" -o "$stage/copy" "$(address_of "$big")" 2>/dev/null &
  reader=$!
  until_true 60 test -s "$stage/copy"
}

# put_nzb FILE CATEGORY
put_nzb() {
  same "status of the PUT" 201 "$(http -o /dev/null -w '%{http_code}' -T "$1" "$dav/nzbs/$2/")"
}

# published PATH: it is there, path escaped.
published() {
  [ "$(http -o /dev/null -w '%{http_code}' -I "$dav/$1")" = 200 ]
}

# escaped NAME: for a URL, byte by byte.
escaped() {
  local LC_ALL=C text=$1 i character code
  for ((i = 0; i < ${#text}; i++)); do
    character=${text:i:1}
    case $character in
      [a-zA-Z0-9._~-]) printf %s "$character" ;;
      *)
        printf -v code %d "'$character"
        printf '%%%02X' $((code & 255))
        ;;
    esac
  done
}

# address_of NAME [PASSWORD]: URL of a file of the first job; with the password inside for clients that want it so.
address_of() {
  local path
  path=content/$category/$(escaped "$job")/$(escaped "$1")
  if [ "${2:-}" = inside ]; then
    echo "http://$(escaped "$user"):$(escaped "$password")@${dav#http://}/$path"
  else
    echo "$dav/$path"
  fi
}
