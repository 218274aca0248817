# The gateway in containers, with a provider on the bridge. Sourced by .ci/containers.
user=guest
password='pa$$ word: ä?'
film='Some Film.bin'
film_size=$((48 << 20))
# Who the hardened ones run as.
settings=(-e NzbDav__WebDav__Username="$user" -e NzbDav__WebDav__Password="$password" -e NzbDav__Torrents__Enabled=false)

make_programs() {
  [ -n "${NZBDAV_BUILT:-}" ] || dotnet build "$root/tools/MockUsenet/NzbDav.MockUsenet.csproj" -nodeReuse:false -v quiet -nologo
}

start_provider() {
  make_programs || return
  mkdir -p "$stage/in"
  seeded 7 "$film_size" >"$stage/$film"
  film_sum=$(sha_of "$stage/$film")
  "$root/tools/MockUsenet/bin/Debug/net10.0/nzbdav-mock-usenet" --address "$gateway_address" --latency 2 --file "$stage/$film" --nzb-out "$stage/in/film.nzb" >"$stage/mock.log" 2>&1 </dev/null &
  processes+=($!)
  until_true 60 grep -qs '^{' "$stage/mock.log" || return
  provider_port=$(sed -nE 's/.*"ports":\[([0-9]+).*/\1/p' "$stage/mock.log")
  provider=(-e NzbDav__Usenet__Providers__0__Host="$gateway_address" -e NzbDav__Usenet__Providers__0__Port="$provider_port"
    -e NzbDav__Usenet__Providers__0__UseTls=false -e NzbDav__Usenet__Providers__0__MaxConnections=8)
  chmod 755 "$stage" "$stage/in"
  chmod 644 "$stage/in/film.nzb"
}

# seeded SEED SIZE: the same bytes each time.
seeded() {
  head -c "$2" /dev/zero | openssl enc -aes-128-ctr -K "$(printf %032x "$1")" -iv "$(printf %032x 0)"
}

# state NAME [OWNER]: an empty folder for /config; sets config.
state() {
  config=$stage/state-$1
  mkdir -p "$config"
  chown "${2:-0:0}" "$config"
}

# start NAME OPTION… [-- ARGUMENT…]: a gateway in a container; sets url.
start() {
  local name=$1 options=() arguments=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || arguments=("${@:2}")
  docker rm -fv "$name" >/dev/null 2>&1
  docker run -d --name "$name" -p 127.0.0.1::8080 "${options[@]}" nzbdav "${arguments[@]}" >/dev/null || return
  answers "$name"
}

# answers NAME: serves; sets url, which is another one after each start.
answers() {
  url=http://$(docker port "$1" 8080/tcp | head -n 1)
  until_true 60 serves || because "it does not serve: $(why_not_serving "$1")"
}

serves() {
  curl -sf --max-time 10 -o /dev/null "$url/health"
}

# why_not_serving CONTAINER: on one line.
why_not_serving() {
  {
    echo "$url/health: $(curl -sS --max-time 10 -o /dev/null -w 'status %{http_code}' "$url/health" 2>&1);"
    docker inspect -f '{{.State.Status}} since {{.State.StartedAt}}, {{.RestartCount}} restarts;' "$1"
    docker top "$1" -o pid,stat,wchan:20,args
    docker logs --tail 3 "$1"
  } 2>&1 | tr '\n' ' '
}

http() {
  curl -sS --max-time 60 -u "$user:$password" "$@"
}

# put_film CATEGORY: into the gateway at url, and waits until it is there.
put_film() {
  same "status of the PUT" 201 "$(http -o /dev/null -w '%{http_code}' -T "$stage/in/film.nzb" "$url/dav/nzbs/$1/Some%20Film.nzb")"
  until_true 60 has_film "$1" || because "the film does not appear"
}

has_film() {
  [ "$(http -o /dev/null -w '%{http_code}' -I "$url/dav/content/$1/Some%20Film/Some%20Film.bin")" = 200 ]
}

# plays CATEGORY: by SHA-256.
plays() {
  http -f -o "$own/copy" "$url/dav/content/$1/Some%20Film/Some%20Film.bin"
  same_bytes "$film" "$stage/$film" "$own/copy"
}

check_gateway() {
  check "demo: plays" demo_plays demo
  check "demo: plays without capabilities on a read-only file system" demo_plays demo-closed --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --user 1000:1000
  check "gateway: a PUT plays, also after a restart and from a new container" lasts
  check "gateway: health check says healthy" is_healthy
  check "gateway: read-only, without capabilities, as --user 1234" hardened
  check "gateway: PUID, PGID and UMASK" as_named
  check "gateway: --user without root, on a new volume" on_volume
  check "gateway: TZ" in_zone
  check "gateway: docker run IMAGE import, alone and beside a server" imports
  check "gateway: four players within 256 MB" within_memory
  check "gateway: SIGTERM cuts a stream and ends it in time" stops
  check "gateway: says what is wrong and ends" refuses
  check "gateway: a catalog of a newer version is refused and left alone; the backup from before goes back" refuses_newer
  docker rm -fv lasting hardened named volume memory stopped beside >/dev/null 2>&1
}

# demo_plays NAME OPTION…
demo_plays() {
  local name=$1 file
  start "$@" -- --demo
  until_true 60 said "$name" 'Ctrl+C stops it' || because "it says: $(docker logs "$name" 2>&1 | tail -n 3)"
  for file in 'NzbDav Demo.mp4' 'NzbDav Demo.mkv'; do
    curl -sSf --max-time 60 -o "$own/copy" "$url/dav/content/movies/NzbDav%20Demo/${file// /%20}"
    same_bytes "$file" "$root/backend/Host/Demo/Media/$file" "$own/copy"
  done
  grep -q '<html' <<<"$(curl -sSf "$url/")"
  # The page asks nobody for an account.
  curl -sSf "$url/api/v1/session" | grep -q '"state":"signedIn"' || because "the page asks for an account: $(curl -sS "$url/api/v1/session")"
  docker stop "$name" >/dev/null
  same "exit code" 0 "$(docker inspect -f '{{.State.ExitCode}}' "$name")"
  docker rm -v "$name" >/dev/null
}

# said NAME TEXT: grep reads a copy, because under pipefail it must not end before docker has written everything.
said() {
  grep -qF -- "$2" <<<"$(docker logs "$1" 2>&1)"
}

lasts() {
  state lasting
  start lasting "${settings[@]}" "${provider[@]}" -v "$config:/config"
  put_film movies
  plays movies
  docker restart lasting >/dev/null
  answers lasting
  plays movies
  start lasting "${settings[@]}" "${provider[@]}" -v "$config:/config" --health-interval 1s
  plays movies
}

is_healthy() {
  until_true 60 health_is lasting healthy || because "it is $(docker inspect -f '{{.State.Health.Status}}' lasting)"
}

# health_is NAME STATE
health_is() {
  [ "$(docker inspect -f '{{.State.Health.Status}}' "$1")" = "$2" ]
}

hardened() {
  state hardened 1234:1234
  start hardened "${settings[@]}" "${provider[@]}" -v "$config:/config" --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges --user 1234:1234
  put_film movies
  plays movies
  same "user and capabilities" '1234 0000000000000000' "$(docker exec hardened sed -nE 's/^Uid:\s+([0-9]+).*/\1/p;s/^CapEff:\s+//p' /proc/1/status | xargs)"
  same "files of others" '' "$(find "$config" ! -uid 1234)"
}

as_named() {
  state named
  echo left >"$config/of root"
  start named "${settings[@]}" "${provider[@]}" -v "$config:/config" -e PUID=1234 -e PGID=4321 -e UMASK=077
  put_film movies
  plays movies
  same "user, group and capabilities" '1234 4321 0000000000000000' "$(docker exec named sed -nE 's/^[UG]id:\s+([0-9]+).*/\1/p;s/^CapEff:\s+//p' /proc/1/status | xargs)"
  docker exec named nzbdav backup >/dev/null
  same "files of others" '' "$(find "$config" \( ! -uid 1234 -o ! -gid 4321 \))"
  same "files that others may read" '' "$(find "$config" -newer "$config/of root" -type f -perm /077)"
}

on_volume() {
  start volume "${settings[@]}" --user 4000:4000 -v /config
  same "status" 207 "$(http -o /dev/null -w '%{http_code}' -X PROPFIND -H 'Depth: 0' "$url/dav/")"
}

in_zone() {
  local before after at
  before=$(TZ=Asia/Tokyo date +%H)
  start zone "${settings[@]}" -e TZ=Asia/Tokyo
  after=$(TZ=Asia/Tokyo date +%H)
  at=$(docker logs zone 2>&1 | sed -nE 's/^([0-9]{2}):[0-9]{2}:[0-9]{2} .*/\1/p' | head -n 1)
  [ "$at" = "$before" ] || same "hour of the log" "$after" "$at"
  start zone "${settings[@]}" -e TZ=Nowhere
  said zone 'TZ=Nowhere is not a time zone' || because "it says: $(docker logs zone 2>&1)"
  docker rm -fv zone >/dev/null
}

imports() {
  state importing
  same "what it said" 'film.nzb: /content/tv/film' \
    "$(docker run --rm "${settings[@]}" "${provider[@]}" -v "$config:/config" -v "$stage/in:/in:ro" nzbdav import /in/film.nzb --category tv 2>"$stage/import.log")"
  start beside "${settings[@]}" "${provider[@]}" -v "$config:/config" -v "$stage/in:/in:ro"
  http -f -o "$own/copy" "$url/dav/content/tv/film/Some%20Film.bin"
  same_bytes "$film" "$stage/$film" "$own/copy"
  same "what it said in the container" 'film.nzb: /content/books/film' "$(docker exec beside nzbdav import /in/film.nzb --category books)"
}

within_memory() {
  local i pids=() id status=0
  start memory "${settings[@]}" "${provider[@]}" -m 256m --memory-swap 256m
  put_film movies
  for i in 1 2 3 4; do
    put_film "player$i" || return
  done
  for i in 1 2 3 4; do
    (http -f "$url/dav/content/player$i/Some%20Film/Some%20Film.bin" | sha256sum >"$stage/player$i") &
    pids+=($!)
  done
  for i in "${pids[@]}"; do
    wait "$i" || status=1
  done
  [ $status -eq 0 ] || because "a player was cut"
  for i in 1 2 3 4; do
    same "SHA-256 of player $i" "$film_sum  -" "$(cat "$stage/player$i")"
  done
  same "running, killed for memory, started anew" 'true false 0' "$(docker inspect -f '{{.State.Running}} {{.State.OOMKilled}} {{.RestartCount}}' memory)"
}

stops() {
  local reader status=0
  start stopped "${settings[@]}" "${provider[@]}"
  put_film movies
  curl -sf -u "$user:$password" --limit-rate 1M -o "$stage/cut" "$url/dav/content/movies/Some%20Film/Some%20Film.bin" &
  reader=$!
  until_true 60 test -s "$stage/cut"
  docker stop -t 10 stopped >/dev/null
  wait "$reader" || status=$?
  same "exit code (137: it did not end within 10 s and was killed)" 0 "$(docker inspect -f '{{.State.ExitCode}}' stopped)"
  [ $status -ne 0 ] || because "the player found nothing wrong with $(stat -c %s "$stage/cut") bytes"
  cmp <(head -c "$(stat -c %s "$stage/cut")" "$stage/$film") "$stage/cut"
}

# refused WHY OPTION…: ends with 78 and says why.
refused() {
  local why=$1 status=0
  shift
  timeout 240 /usr/bin/docker -H "unix://$stage/docker.sock" run --rm "$@" >"$own/said" 2>&1 || status=$?
  same "exit code of $*" 78 $status
  grep -qF -- "$why" "$own/said" || because "it said: $(tail -n 3 "$own/said")"
}

refuses() {
  state closed
  chmod 700 "$config"
  refused 'PUID=me is not a number' -e PUID=me nzbdav
  refused 'UMASK=9 is not a mask' -e UMASK=9 nzbdav
  refused 'user: "1000:1000"' --cap-drop ALL nzbdav
  refused 'the folder /config cannot be created or written' --user 1234:1234 -v "$config:/config" nzbdav
  refused 'there is no such setting' -e NzbDav__Usenet__Provider__0__Host=x nzbdav
  refused 'cannot listen' nzbdav --urls http://192.0.2.1:8080
  refused 'no Usenet provider is configured' -v "$stage/in:/in:ro" nzbdav import /in/film.nzb
}

refuses_newer() {
  local database=$stage/state-lasting/nzbdav.sqlite before backup
  backup=$(docker exec lasting nzbdav backup)
  docker stop lasting >/dev/null
  python3 - "$database" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    columns = [row[1] for row in database.execute("PRAGMA table_info(migrations)")]
    row = list(database.execute("SELECT * FROM migrations ORDER BY number DESC LIMIT 1").fetchone())
    row[columns.index("number")] = 9999
    database.execute(f"INSERT INTO migrations VALUES ({','.join('?' * len(row))})", row)
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.close()
PYTHON
  before=$(sha_of "$database")
  refused 'The database has schema 9999' -v "$stage/state-lasting:/config" nzbdav
  same "SHA-256 of the catalog" "$before" "$(sha_of "$database")"
  docker run --rm -v "$stage/state-lasting:/config" nzbdav restore "$backup"
  start lasting "${settings[@]}" "${provider[@]}" -v "$stage/state-lasting:/config"
  plays movies
}
