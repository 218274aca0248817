# The server's own mount: its tree as a file system, without rclone.
# shellcheck source=mpv.sh
. "$clients/mpv.sh"

check_ownmount() {
  if ! fuse_offered; then
    cannot "own mount" mount "$why_no_fuse"
    return
  fi
  # Its server is another one than the stage's, and so are its providers: these fall silent, and it is killed.
  local url dav server= whole_stage=$stage sources=$sources
  if [ -n "${own:-}" ]; then
    local stage=$own
    mkdir "$stage/sources"
    ln "$sources/$big" "$sources/$mp4" "$sources/$mkv" "$sources/$odd" "$stage/sources/"
    sources=$stage/sources
  fi
  ownmount_config=$stage/ownmount
  ownmount_place=$stage/own-mount
  ownmount_log=$stage/ownmount.log
  ownmount_job=$ownmount_place/content/$category/$job
  ownmount_links=$ownmount_place/completed-symlinks/$category/$job
  ownmount_library=$stage/own-library
  ownmount_slot=${#processes[@]}
  processes+=('')
  mounts+=("$ownmount_place")
  mkdir "$ownmount_place" "$ownmount_library" "$ownmount_config"
  ownmount_providers

  if ! ownmount_up; then
    fail "own mount: mount" "it is not mounted" "$ownmount_log"
    return
  fi
  ok "own mount: mount"
  check "own mount: publishes" ownmount_publish
  ownmount_as_player
  ownmount_as_arr
  ownmount_as_program
  ownmount_as_it_changes
  ownmount_to_its_end
  ownmount_down
}

# Four providers: of what the stage's main one has, of a thousand files, and two that fall silent, with different files of one name and length.
ownmount_providers() {
  mkdir "$sources/Many" "$sources/Twin"
  seeded 6 3000000 2>/dev/null | split -b 3000 -d -a 3 --additional-suffix=.bin - "$sources/Many/File "
  seeded 7 30000001 >"$sources/Quiet.bin" 2>/dev/null
  seeded 9 30000001 >"$sources/Twin/Quiet.bin" 2>/dev/null
  # A name of 255 bytes.
  ownmount_long=$(printf 'ü%.0s' {1..125}) ownmount_long+=x.bin
  seeded 8 70000 >"$sources/$ownmount_long" 2>/dev/null
  mkdir "$stage/own"
  mock own "$stage/own/$job.nzb" --latency 5 --file "$sources/$big" "$sources/$mp4" "$sources/$mkv" "$sources/$odd"
  local own_port=$mock_port
  mock many "$stage/own/Many.nzb" --file "$sources/Many"/* "$sources/$ownmount_long"
  local many_port=$mock_port
  mock quiet "$stage/own/Quiet.nzb" --file "$sources/Quiet.bin"
  local quiet_port=$mock_port
  quiet_provider=${processes[-1]}
  mock twin "$stage/own/Twin.nzb" --seed 2 --file "$sources/Twin/Quiet.bin"
  twin_provider=${processes[-1]}
  local number=0 port
  ownmount_settings=(
    NzbDav__WebDav__Username="$user" NzbDav__WebDav__Password="$password" NzbDav__Torrents__ListenAddress=127.0.0.1 NzbDav__Torrents__Dht=false
    NzbDav__Torrents__LocalDiscovery=false
  )
  for port in "$own_port" "$many_port" "$quiet_port" "$mock_port"; do
    ownmount_settings+=(
      NzbDav__Usenet__Providers__"$number"__Host=127.0.0.1 NzbDav__Usenet__Providers__"$number"__Port="$port"
      NzbDav__Usenet__Providers__"$number"__UseTls=false NzbDav__Usenet__Providers__"$number"__MaxConnections=8
    )
    number=$((number + 1))
  done
}

# ownmount_up [SETTING…]: starts the server, and waits until it serves; fails if there is no mount.
ownmount_up() {
  : >"$ownmount_log"
  env "${ownmount_settings[@]}" NzbDav__Mount__Path="$ownmount_place" "$@" \
    "$root/backend/bin/Debug/net10.0/nzbdav" --config "$ownmount_config" --urls "${url:-http://127.0.0.1:0}" >"$ownmount_log" 2>&1 </dev/null &
  server=$!
  processes[ownmount_slot]=$server
  until_true 180 ownmount_spoke || return 1
  url=$(sed -nE 's|^NzbDav serves WebDAV at (.*)/dav/$|\1|p' "$ownmount_log" | head -n 1)
  dav=$url/dav
  [ -n "$url" ] && mountpoint -q "$ownmount_place"
}

ownmount_spoke() {
  grep -qs '^NzbDav serves WebDAV at ' "$ownmount_log" || gone "$server"
}

# ownmount_down [SIGNAL]: ends the server; sets ownmount_status.
ownmount_down() {
  ownmount_status=0
  [ -n "$server" ] || return 0
  kill "-${1:-TERM}" "$server"
  { wait "$server" || ownmount_status=$?; } 2>/dev/null
  server=
  processes[ownmount_slot]=
}

ownmount_calls() {
  limited 120 /usr/bin/python3 -B "$clients/ownmount.py" "$@"
}

# ownmount_post PATH JSON: to the API; prints the status.
ownmount_post() {
  curl -sS --max-time 60 -o "$stage/answer" -w '%{http_code}' -H "X-Api-Key: $(cat "$ownmount_config/keys/api")" -H 'Content-Type: application/json' \
    -d "$2" "$url/api/v1/$1"
}

# ownmount_delete PATH: by the API, whoever has a link to it.
ownmount_delete() {
  same "status of the deletion of $1" 204 "$(ownmount_post library/delete "{\"path\":\"$1\"}")"
}

ownmount_publish() {
  put_nzb "$stage/own/$job.nzb" "$category"
  put_nzb "$stage/own/Many.nzb" tv
  put_nzb "$stage/own/Quiet.nzb" tv
  until_true 120 test -e "$ownmount_job/$odd" || because "$job is not published"
  until_true 120 test -e "$ownmount_place/content/tv/Many" || because "Many is not published"
  until_true 120 test -e "$ownmount_place/content/tv/Quiet/Quiet.bin" || because "Quiet is not published"
}

# What a media server does.

ownmount_as_player() {
  check "own mount: ls" ownmount_list
  check "own mount: whole and at offsets" ownmount_read
  check "own mount: readers at the same time" ownmount_together
  check "own mount: ffmpeg near the end" ownmount_frame
  check "own mount: mpv plays, and jumps" ownmount_plays
  check "own mount: the list of streams has who reads" ownmount_streams
  ownmount_demo
}

ownmount_list() {
  local name
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    same "size of $name" "$(stat -c %s "$sources/$name")" "$(stat -c %s "$ownmount_job/$name")"
    ls -l "$ownmount_job" | grep -qF -- " $(stat -c %s "$sources/$name") " || because "ls -l: $(ls -l "$ownmount_job")"
  done
  same "names in the folder" 4 "$(ls "$ownmount_job" | wc -l)"
  same "files in the tree" 4 "$(find "$ownmount_place/content/$category" -type f | wc -l)"
  same "owner and rights" "$(id -u) $(id -g) -r--r--r--" "$(stat -c '%u %g %A' "$ownmount_job/$big")"
}

ownmount_read() {
  local name start
  for start in 67000000 0 33333333 12345678 716799; do
    bytes_of "$ownmount_job/$big" "$start" 100000 >"$stage/part"
    bytes_of "$sources/$big" "$start" 100000 | cmp - "$stage/part"
  done
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    same_bytes "$name" "$sources/$name" "$ownmount_job/$name"
  done
  cp --reflink=never --sparse=never "$ownmount_job/$mp4" "$stage/copy"
  cmp "$sources/$mp4" "$stage/copy"
  # shellcheck disable=SC2002
  cat "$ownmount_job/$mkv" | cmp - "$sources/$mkv"
}

# Eight readers in one file, each with a stretch of its own, past the kernel's cache.
ownmount_together() {
  local i pids=()
  for i in {0..7}; do
    (cmp <(bytes_of "$sources/$big" $((i * 8000000)) 8000000) <(limited 60 dd if="$ownmount_job/$big" bs=100000 skip=$((i * 80)) count=80 iflag=nocache status=none)) &
    pids+=($!)
  done
  for i in "${pids[@]}"; do
    wait "$i"
  done
}

ownmount_frame() {
  limited 60 ffmpeg -v error -nostdin -ss 71.9 -i "$ownmount_job/$mkv" -frames:v 1 -an -f framehash - >"$stage/hash"
  limited 60 ffmpeg -v error -nostdin -ss 71.9 -i "$sources/$mkv" -frames:v 1 -an -f framehash - | diff - "$stage/hash"
  grep -q '^0,' "$stage/hash" || because "it decoded no frame"
}

ownmount_plays() {
  # mpv.sh's players, with files instead of addresses.
  address_of() {
    echo "$ownmount_job/$1"
  }
  local name
  for name in "$mp4" "$mkv"; do
    mpv_plays "$name" 0
    mpv_jumps "$name"
  done
  mpv_position "$mp4" --start=30 --length=3 --script="$stage/position.lua"
  awk -v at="$(cat "$stage/position")" 'BEGIN { exit !(at >= 32.5 && at <= 33.1) }' || because "after 3 s from 30 s it was at $(cat "$stage/position") s"
}

ownmount_streams() {
  # Nobody reads: the pipe is full before the file is read.
  mkfifo "$stage/full"
  sleep 600 <"$stage/full" &
  local reader=$!
  cat "$ownmount_place/content/tv/Quiet/Quiet.bin" >"$stage/full" &
  # shellcheck disable=SC2064
  trap "kill $reader $! 2>/dev/null" EXIT
  until_true 18 ownmount_lists cat || because "cat is not in the list: $(cat "$stage/streams")"
  grep -qF /content/tv/Quiet/Quiet.bin "$stage/streams" || because "the file is not in the list: $(cat "$stage/streams")"
}

# ownmount_lists PROGRAM: among the streams.
ownmount_lists() {
  curl -sS --max-time 60 -H "X-Api-Key: $(cat "$ownmount_config/keys/api")" "$url/api/v1/streams" >"$stage/streams"
  grep -qF "\"$1\"" "$stage/streams"
}

# The demo in a folder: a film from Usenet, and the same as a torrent.
ownmount_demo() {
  local place=$stage/own-demo log=$stage/own-demo.log pid status=0
  mounts+=("$place")
  mkdir -p "$place" "$stage/own-demo-tmp"
  TMPDIR=$stage/own-demo-tmp "$root/backend/bin/Debug/net10.0/nzbdav" mount "$place" --demo --urls http://127.0.0.1:0 >"$log" 2>&1 </dev/null &
  pid=$!
  processes+=("$pid")
  if ! until_true 300 grep -qs '^Ctrl+C stops it' "$log"; then
    fail "own mount: nzbdav mount DIR --demo" "it did not say that it is ready" "$log"
    kill "$pid"
    return
  fi
  check "own mount: nzbdav mount DIR --demo: a torrent's film, and one from Usenet" ownmount_demo_plays "$place" "$log"
  kill -TERM "$pid"
  wait "$pid" 2>/dev/null || status=$?
  check "own mount: nzbdav mount DIR: ends when told to" same "exit code, and what is left" "0 " "$status $(ls -A "$place")"
}

# ownmount_demo_plays PLACE LOG
ownmount_demo_plays() {
  local film count=0
  while read -r film; do
    count=$((count + 1))
    same_bytes "$film" "$sources/${film##*/}" "$film"
  done < <(find "$1/content" -name "${mp4%.*}*" -type f)
  grep -q '^  torrent ' "$2" || because "the demo has no torrent"
  [ "$count" -ge 3 ] || because "there are only $count films: $(find "$1/content" -type f)"
}

# What Sonarr does.

ownmount_as_arr() {
  check "own mount: links are symbolic, and lead to the files" ownmount_linked
  check "own mount: deletes and renames in content" ownmount_renames
  check "own mount: a hard link fails, and harms nothing" ownmount_hard
  check "own mount: import by an *arr" ownmount_imports
  check "own mount: what a library may have stays" ownmount_kept
}

ownmount_linked() {
  local name target
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    [ -L "$ownmount_links/$name" ] || because "$name is no symbolic link"
    target=$(readlink "$ownmount_links/$name")
    [[ $target == "$ownmount_place/.ids/"* ]] || because "the link of $name says: $target"
    same "size of the link" "${#target}" "$(stat -c %s "$ownmount_links/$name")"
    same_bytes "$name" "$sources/$name" "$ownmount_links/$name"
    same_bytes "$name by its id" "$sources/$name" "$target"
    ls "${target%/*}" | grep -qxF "${target##*/}" || because "${target%/*} does not list it"
  done
  same "names in the folder" 4 "$(ls "$ownmount_links" | wc -l)"
  same "links in the tree" 4 "$(find "$ownmount_place/completed-symlinks/$category" -type l | wc -l)"
  [ ! -e "$ownmount_links/$mkv.rclonelink" ] || because "the suffix leads to something"
}

ownmount_renames() {
  local tv=$ownmount_place/content/tv
  cp "$stage/own/Quiet.nzb" "$stage/own/Other.nzb"
  put_nzb "$stage/own/Other.nzb" tv
  until_true 120 test -e "$tv/Other/Quiet.bin" || because "it is not published"
  mv "$tv/Other/Quiet.bin" "$tv/Other/Renamed file.bin"
  [ ! -e "$tv/Other/Quiet.bin" ] || because "the old name of the file leads somewhere"
  mv "$tv/Other" "$tv/Other job"
  same "the job's files" "Renamed file.bin" "$(ls "$tv/Other job")"
  mkdir -p "$stage/empty"
  mv "$tv/Other job" "$ownmount_place/content/$category/Moved job"
  [ ! -e "$tv/Other job" ] || because "the old name of the job leads somewhere"
  bytes_of "$ownmount_place/content/$category/Moved job/Renamed file.bin" 5000000 1000 | cmp - <(bytes_of "$sources/Quiet.bin" 5000000 1000)
  published "content/$category/Moved%20job/Renamed%20file.bin" || because "WebDAV does not have the new name"
  # Nobody has read its link.
  rm "$ownmount_place/content/$category/Moved job/Renamed file.bin"
  published "content/$category/Moved%20job/Renamed%20file.bin" && because "WebDAV still has it"
  rm -rf "$ownmount_place/content/$category/Moved job"
  [ ! -e "$ownmount_place/content/$category/Moved job" ] || because "the folder is still there"
}

ownmount_hard() {
  local name=$mp4 status=0
  ln -P "$ownmount_links/$name" "$ownmount_library/hard" 2>"$stage/said" && because "a hard link of the link was made"
  ln "$ownmount_job/$name" "$ownmount_library/hard" 2>>"$stage/said" && because "a hard link of the file was made"
  same "complaints of another file system" 2 "$(grep -c 'Invalid cross-device link' "$stage/said")"
  ln -P "$ownmount_links/$name" "$ownmount_links/hard" 2>"$stage/said" && because "a hard link in the mount was made"
  grep -qE 'Read-only file system|not permitted' "$stage/said" || because "it said: $(cat "$stage/said")"
  same "library" '' "$(ls "$ownmount_library")"
  same_bytes "$name" "$sources/$name" "$ownmount_links/$name"
}

# As Sonarr does: the same link in the library, then the one in the folder of the download, and the folder.
ownmount_imports() {
  local name
  for name in "$mp4" "$mkv"; do
    ln -s "$(readlink "$ownmount_links/$name")" "$ownmount_library/$name"
    rm "$ownmount_links/$name"
    [ ! -L "$ownmount_links/$name" ] || because "the link is still there"
    same_bytes "$name" "$sources/$name" "$ownmount_library/$name"
  done
  ls "$ownmount_links" >"$stage/said"
  same "links that are left" 2 "$(wc -l <"$stage/said")"
  # Across file systems mv copies the link, and removes it.
  mv "$ownmount_links/$big" "$ownmount_library/$big"
  [ -L "$ownmount_library/$big" ] || because "mv made a file of it"
  rmdir "$ownmount_links" 2>/dev/null && because "a folder went with a link in it"
  rm "$ownmount_links/$odd"
  # The folder may go with its last link.
  rmdir "$ownmount_links" 2>/dev/null || [ ! -e "$ownmount_links" ] || because "the folder is still there"
  [ -d "$ownmount_place/completed-symlinks/$category" ] || because "the category is gone"
  for name in "$big" "$mp4" "$mkv"; do
    same_bytes "$name" "$sources/$name" "$ownmount_library/$name"
    same_bytes "$name" "$sources/$name" "$ownmount_job/$name"
  done
}

ownmount_kept() {
  rm "$ownmount_job/$mkv" 2>"$stage/said" && because "what the link leads to was removed"
  grep -q 'Permission denied' "$stage/said" || because "rm said: $(cat "$stage/said")"
  rm -rf "$ownmount_job" 2>/dev/null && because "the job was removed"
  grep -q 'so a library may have it' "$ownmount_log" || because "the log does not say why"
  mv "$ownmount_job/$mkv" "$ownmount_job/New name.mkv"
  same_bytes "$mkv" "$sources/$mkv" "$ownmount_library/$mkv"
  mv "$ownmount_job" "$ownmount_job.new"
  same_bytes "$mkv" "$sources/$mkv" "$ownmount_library/$mkv"
  mv "$ownmount_job.new" "$ownmount_job"
  mv "$ownmount_job/New name.mkv" "$ownmount_job/$mkv"
  same_bytes "$mkv" "$sources/$mkv" "$ownmount_job/$mkv"
}

# What a program may ask that no player does.

ownmount_as_program() {
  local many=$ownmount_place/content/tv/Many quiet=$ownmount_place/completed-symlinks/tv/Quiet/Quiet.bin
  check "own mount: nothing can be written" ownmount_calls readonly "$ownmount_job" "$ownmount_job/$mp4" "$quiet"
  check "own mount: nothing can be written, .ids" ownmount_calls readonly "$(readlink "$ownmount_library/$mp4" | sed 's|/[^/]*$||')" \
    "$(readlink "$ownmount_library/$mp4")" "$quiet"
  check "own mount: the top of the tree stays" ownmount_calls fixed "$ownmount_place"
  check "own mount: names" ownmount_calls names "$ownmount_job" "$big" "$mp4" "$mkv" "$odd"
  check "own mount: a name of 255 bytes" ownmount_longest "$many"
  check "own mount: a long listing" ownmount_calls folder "$many" 1001
  check "own mount: statfs" ownmount_calls statfs "$ownmount_place"
  check "own mount: mmap, sendfile, splice, pread" ownmount_calls reads "$ownmount_job/$mp4" "$sources/$mp4"
  check "own mount: O_DIRECT" ownmount_calls direct "$ownmount_job/$mp4" "$sources/$mp4"
  check "own mount: 1,000 files open at once, in bounded memory" ownmount_many "$many"
  check "own mount: a signal ends who waits for a silent provider" ownmount_silent
}

ownmount_longest() {
  same "bytes of the name" 255 "$(printf %s "$ownmount_long" | wc -c)"
  ls "$1" | grep -qxF "$ownmount_long" || because "it is listed as $(ls "$1" | grep -v '^File')"
  same_bytes "the file" "$sources/$ownmount_long" "$1/$ownmount_long"
  same_bytes "the link" "$sources/$ownmount_long" "$ownmount_place/completed-symlinks/tv/Many/$ownmount_long"
}

# ownmount_many FOLDER
ownmount_many() {
  local before after
  mkdir -p "$stage/many"
  ln -s "$sources/Many"/* "$sources/$ownmount_long" "$stage/many/"
  before=$(ownmount_memory)
  ownmount_calls many "$1" "$stage/many"
  ownmount_calls opens "$ownmount_job/$big" "$sources/$big" 1000
  ownmount_calls stats "$ownmount_job/$big" 1000
  after=$(ownmount_memory)
  [ $((after - before)) -lt 400000 ] || because "it had $before KiB, and has $after KiB"
  same "threads are few" yes "$([ "$(find "/proc/$server/task" -maxdepth 1 | wc -l)" -lt 100 ] && echo yes)"
}

ownmount_memory() {
  sed -nE 's/^VmRSS: *([0-9]+) kB/\1/p' "/proc/$server/status"
}

ownmount_silent() {
  local file=$ownmount_place/content/tv/Quiet/Quiet.bin pid signal began at=20
  head -c 1000 "$file" >/dev/null
  kill -STOP "$quiet_provider"
  # shellcheck disable=SC2064
  trap "kill -CONT $quiet_provider" EXIT
  for signal in INT TERM KILL; do
    /usr/bin/python3 -B "$clients/ownmount.py" waits "$file" $((at * 1000000)) &
    pid=$!
    sleep 2
    gone "$pid" && because "it did not wait"
    began=${EPOCHREALTIME/./}
    kill "-$signal" "$pid"
    wait "$pid" && because "it ended well"
    [ $((${EPOCHREALTIME/./} - began)) -lt 10000000 ] || because "SIG$signal ended it after $(((${EPOCHREALTIME/./} - began) / 1000)) ms"
    at=$((at + 3))
  done
  # Others are served meanwhile.
  limited 60 cmp "$sources/$odd" "$ownmount_job/$odd"
  limited 60 ls "$ownmount_place/content/tv/Quiet" >/dev/null
  kill -CONT "$quiet_provider"
  until_true 60 same_bytes Quiet.bin "$sources/Quiet.bin" "$file"
}

# What others change.

ownmount_as_it_changes() {
  check "own mount: what is published is there at once" ownmount_appears
  check "own mount: what is deleted is gone at once" ownmount_disappears
  check "own mount: a listing while the folder changes" ownmount_changing
  check "own mount: a file takes the name of another" ownmount_replaced
  check "own mount: an open file that is deleted" ownmount_deleted
  check "own mount: another file of the same name and length" ownmount_twin
}

ownmount_appears() {
  local tv=$ownmount_place/content/tv way
  # What is not there yet is looked for, and what lists it is listed.
  ls "$tv" "$ownmount_place/completed-symlinks/tv" "$ownmount_place/nzbs" >/dev/null
  for way in put import; do
    [ ! -e "$tv/New by $way" ] || because "it is there already"
    cp "$stage/own/Quiet.nzb" "$stage/own/New by $way.nzb"
    if [ $way = put ]; then
      put_nzb "$stage/own/New by $way.nzb" tv
    else
      limited 60 "$root/backend/bin/Debug/net10.0/nzbdav" import --config "$ownmount_config" "$stage/own/New by $way.nzb" --category tv
    fi
    until_true 120 published "content/tv/New%20by%20$way/Quiet.bin" || because "it is not published"
    until_true 20 ownmount_shows "$tv" "New by $way" || because "$tv does not show it: $(ls "$tv")"
    until_true 20 ownmount_shows "$ownmount_place/completed-symlinks/tv" "New by $way" || because "there is no link to it"
    same_bytes Quiet.bin "$sources/Quiet.bin" "$tv/New by $way/Quiet.bin"
  done
}

# ownmount_shows FOLDER NAME: in its listing, and by itself.
ownmount_shows() {
  ls "$1" | grep -qxF "$2" && [ -e "$1/$2" ]
}

ownmount_disappears() {
  local tv=$ownmount_place/content/tv
  ls -l "$tv/New by put" "$tv" >/dev/null
  ownmount_delete '/content/tv/New by put'
  until_true 20 ownmount_lost "$tv" 'New by put' || because "it is still there"
  until_true 20 ownmount_lost "$ownmount_place/completed-symlinks/tv" 'New by put' || because "the link is still there"
  ls -l "$tv/New by import/Quiet.bin" "$tv" >/dev/null
  same "status of the DELETE" 204 "$(http -X DELETE -o /dev/null -w '%{http_code}' "$dav/content/tv/New%20by%20import/Quiet.bin")"
  until_true 20 ownmount_lost "$tv/New by import" Quiet.bin || because "the file is still there"
}

ownmount_lost() {
  [ ! -e "$1/$2" ] && ! ls "$1" | grep -qxF "$2"
}

ownmount_changing() {
  local many=$ownmount_place/content/tv/Many
  ownmount_calls changing "$many" "curl -sSf -u '$user:$password' -X DELETE '$dav/content/tv/Many/File%20500.bin'"
  ownmount_calls changing "$many" "rm '$many/File 001.bin' '$many/File 999.bin' && mv '$many/File 700.bin' '$many/Another.bin'"
  ownmount_calls folder "$many" 998
}

ownmount_replaced() {
  local many=$ownmount_place/content/tv/Many
  cat "$many/File 002.bin" "$many/File 003.bin" | cmp - <(cat "$sources/Many/File 002.bin" "$sources/Many/File 003.bin")
  mv "$many/File 002.bin" "$many/File 003.bin"
  [ ! -e "$many/File 002.bin" ] || because "the old name leads somewhere"
  cmp "$sources/Many/File 002.bin" "$many/File 003.bin"
  ln -T "$many/File 004.bin" "$many/File 005.bin" 2>/dev/null && because "a link was made over a file"
  mv -n "$many/File 004.bin" "$many/File 005.bin"
  cat "$many/File 004.bin" "$many/File 005.bin" | cmp - <(cat "$sources/Many/File 004.bin" "$sources/Many/File 005.bin")
}

# The kernel keeps what it read: not for another file.
ownmount_twin() {
  local place=$ownmount_place/content/tv/Swap
  cp "$stage/own/Quiet.nzb" "$stage/own/Swap.nzb"
  put_nzb "$stage/own/Swap.nzb" tv
  until_true 120 test -e "$place/Quiet.bin" || because "it is not published"
  head -c 5000000 "$place/Quiet.bin" | cmp - <(head -c 5000000 "$sources/Quiet.bin")
  exec 3<"$place/Quiet.bin"
  dd bs=100000 count=1 iflag=fullblock status=none <&3 | cmp - <(head -c 100000 "$sources/Quiet.bin")
  ownmount_delete /content/tv/Swap
  cp "$stage/own/Twin.nzb" "$stage/own/Swap.nzb"
  put_nzb "$stage/own/Swap.nzb" tv
  until_true 120 published content/tv/Swap/Quiet.bin || because "the other one is not published"
  head -c 5000000 "$place/Quiet.bin" | cmp - <(head -c 5000000 "$sources/Twin/Quiet.bin")
  dd bs=100000 count=60 iflag=fullblock status=none <&3 | cmp - <(bytes_of "$sources/Quiet.bin" 100000 6000000)
}

# A player that began before goes on, as over WebDAV.
ownmount_deleted() {
  local file=$ownmount_place/content/tv/Quiet/Quiet.bin status=0
  exec 3<"$file"
  dd bs=100000 count=1 iflag=fullblock status=none <&3 | cmp - <(head -c 100000 "$sources/Quiet.bin")
  ownmount_delete /content/tv/Quiet
  until_true 20 ownmount_lost "$ownmount_place/content/tv" Quiet || because "it is still there"
  limited 60 cat <&3 >"$stage/rest" || because "it is not read on"
  cmp "$stage/rest" <(tail -c +100001 "$sources/Quiet.bin")
}

# Its end, and how it begins again.

ownmount_to_its_end() {
  ownmount_terminated
  ownmount_suspended
  ownmount_blocked TERM
  ownmount_blocked KILL
  ownmount_killed
  ownmount_unmounted
  ownmount_refused
  ownmount_as_user
}

# ownmount_reads REPORT: somebody reads slowly, for as long as the file can be read; sets reader.
ownmount_reads() {
  rm -f "$1"
  /usr/bin/python3 -B "$clients/ownmount.py" slow "$ownmount_job/$big" "$sources/$big" "$1" >/dev/null 2>&1 </dev/null &
  reader=$!
  until_true 60 test -s "$1"
}

ownmount_terminated() {
  local began reader
  ownmount_reads "$stage/reader"
  began=$SECONDS
  ownmount_down TERM
  check "own mount: SIGTERM ends the server with 0" same "exit code" 0 "$ownmount_status"
  check "own mount: SIGTERM ends it soon, though files are open" test $((SECONDS - began)) -le 40
  check "own mount: then an open file is not connected" ownmount_cut "$reader" "$stage/reader"
  check "own mount: the folder is empty again" ownmount_plain
}

# The machine is suspended while somebody reads.
ownmount_suspended() {
  local reader status=0
  if ! ownmount_up; then
    fail "own mount: starts again" "there is no mount" "$ownmount_log"
    return
  fi
  cmp "$sources/$big" "$ownmount_job/$big" &
  reader=$!
  kill -STOP "$server"
  sleep 3
  kill -CONT "$server"
  until_true 60 gone "$reader" || kill -9 "$reader"
  { wait "$reader" || status=$?; } 2>/dev/null
  check "own mount: after the server stood still, what is open is read on" same "exit code of cmp" 0 "$status"
  ownmount_down
}

# ownmount_blocked SIGNAL: the server ends while somebody waits for a silent provider.
ownmount_blocked() {
  local began pid waited
  if ! ownmount_up; then
    fail "own mount: starts again" "there is no mount" "$ownmount_log"
    return
  fi
  kill -STOP "$twin_provider"
  /usr/bin/python3 -B "$clients/ownmount.py" waits "$ownmount_place/content/tv/Swap/Quiet.bin" 20000000 >/dev/null 2>&1 &
  pid=$!
  sleep 3
  gone "$pid" && waited=no || waited=yes
  began=$SECONDS
  ownmount_down "$1"
  kill -CONT "$twin_provider"
  check "own mount: SIG$1 while a read waits: the server ends soon" test $((SECONDS - began)) -le 40
  check "own mount: SIG$1 while a read waits: so does the reader" until_true 30 gone "$pid"
  check "own mount: SIG$1 while a read waits: it did wait" same waited yes $waited
  kill -9 "$pid" 2>/dev/null
}

# ownmount_cut READER REPORT
ownmount_cut() {
  until_true 60 gone "$1" || because "the reader hangs"
  case $(cat "$2") in
    'began ENOTCONN' | 'began ECONNABORTED') ;;
    *) because "the reader said: $(cat "$2")" ;;
  esac
}

ownmount_plain() {
  ! mountpoint -q "$ownmount_place" || because "it is still a mount"
  same "what it holds" '' "$(ls -A "$ownmount_place")"
  touch "$ownmount_place/file"
  rm "$ownmount_place/file"
}

# Twenty times, with a reader who must never see wrong bytes.
ownmount_killed() {
  local i reader bad= slow=0
  for i in {1..20}; do
    if ! ownmount_up; then
      bad="start $i: there is no mount"
      break
    fi
    /usr/bin/python3 -B "$clients/ownmount.py" reader "$ownmount_job/$big" "$sources/$big" >"$stage/reader" 2>&1 </dev/null &
    reader=$!
    limited 120 cmp "$sources/$odd" "$ownmount_job/$odd" >/dev/null 2>&1 || bad="start $i: $odd cannot be read"
    # access(2): what the kernel then knows of the mount outlives the server.
    [ -r "$ownmount_place" ] || bad="start $i: it may not be read"
    ownmount_down KILL
    if ! until_true 60 gone "$reader"; then
      bad="start $i: the reader hangs"
      kill -9 "$reader"
    fi
    wait "$reader" 2>/dev/null || bad="start $i: ${bad:-$(tail -n 1 "$stage/reader")}"
    [ -z "$bad" ] || break
  done
  check "own mount: killed 20 times, the next start takes the dead mount over" same "what went wrong" '' "$bad"
  [ -z "$bad" ] || ownmount_down
  umount -l "$ownmount_place" 2>/dev/null
}

ownmount_unmounted() {
  ownmount_up || fail "own mount: starts again" "there is no mount" "$ownmount_log"
  check "own mount: unmounted by somebody else, the server says so, and mounts again" ownmount_taken_away
  ownmount_down
  check "own mount: and ends with 0" same "exit code" 0 "$ownmount_status"
}

ownmount_taken_away() {
  local reader
  ownmount_reads "$stage/reader"
  umount -l "$ownmount_place"
  kill "$reader"
  until_true 60 gone "$reader" || because "the reader hangs"
  until_true 60 grep -q 'has ended: it was unmounted' "$ownmount_log" || because "the log says nothing: $(tail -n 3 "$ownmount_log")"
  server_ready
  until_true 60 mountpoint -q "$ownmount_place" || because "it is not mounted again"
  cmp "$sources/$odd" "$ownmount_job/$odd"
}

ownmount_refused() {
  local other=$stage/own-other
  mkdir "$other"
  touch "$ownmount_place/file"
  ownmount_up
  check "own mount: a folder that is not empty" ownmount_without "$ownmount_place is not empty"
  rm "$ownmount_place/file"
  check "own mount: the folder is empty, and is mounted" until_true 60 mountpoint -q "$ownmount_place"
  ownmount_down
  ownmount_up NzbDav__Mount__Path="$stage/nowhere"
  check "own mount: a folder that does not exist" ownmount_without "$stage/nowhere does not exist"
  ownmount_down
  ownmount_up NzbDav__Mount__Path="$sources/$odd"
  check "own mount: a folder that is a file" ownmount_without "$sources/$odd"
  ownmount_down

  ownmount_up || fail "own mount: starts again" "there is no mount" "$ownmount_log"
  check "own mount: a second server on the folder" ownmount_second "$other"
  ownmount_down
}

# ownmount_without TEXT: the server runs without a mount, and its log has the text.
ownmount_without() {
  grep -F 'There is no mount' "$ownmount_log" | grep -qF "$1" || because "the log says: $(tail -n 3 "$ownmount_log")"
  until_true 180 server_ready || because "the server does not run"
  http -f -o "$stage/copy" "$(address_of "$odd")"
  cmp "$stage/copy" "$sources/$odd"
}

# ownmount_second CONFIG
ownmount_second() {
  local first=$server url=$url
  # shellcheck disable=SC2064
  trap 'kill "$server"' EXIT
  ownmount_config=$1 ownmount_log=$1.log url=
  ownmount_up || true
  grep -F 'There is no mount' "$ownmount_log" | grep -qF "$ownmount_place" || because "the log says: $(tail -n 3 "$ownmount_log")"
  until_true 180 server_ready || because "the second server does not run"
  ownmount_down
  trap - EXIT
  gone "$first" && because "the first server ended"
  cmp "$sources/$odd" "$ownmount_job/$odd"
}

# As a user who is not root, through fusermount3. In a namespace of its own: the machine's /etc/fuse.conf stays as it is.
ownmount_as_user() {
  local url= server= ownmount_config=$stage/own-user ownmount_log=$stage/own-user.log ownmount_place=$stage/own-user-mount
  local holder allowed=$stage/fuse-allowed.conf forbidden=$stage/fuse-forbidden.conf
  if ! command -v fusermount3 >/dev/null; then
    fail "own mount: as a user" "there is no fusermount3"
    return
  fi
  unshare --mount --propagation private sleep infinity &
  holder=$!
  processes+=("$holder")
  echo user_allow_other >"$allowed"
  : >"$forbidden"
  mkdir "$ownmount_config" "$ownmount_place" "$stage/own-bin" "$stage/own-dotnet"
  until_true 60 ownmount_apart
  ownmount_inside mount --bind "$root/backend/bin/Debug/net10.0" "$stage/own-bin"
  ownmount_inside mount --bind "$(dirname "$(readlink -f "$(command -v dotnet)")")" "$stage/own-dotnet"
  chmod 711 "$whole_stage" "$stage"
  local who=nobody
  chown -R $who "$ownmount_config" "$ownmount_place"
  ownmount_inside mount --bind "$forbidden" /etc/fuse.conf
  ownmount_user_up $who
  check "own mount: as a user, without user_allow_other: says what to do" ownmount_user_without user_allow_other
  ownmount_down
  ownmount_user_up $who PATH=/nowhere
  check "own mount: as a user, without fusermount3: says what to do" ownmount_user_without 'Install fuse3'
  ownmount_down
  ownmount_user_up $who NzbDav__Mount__AllowOther=false
  check "own mount: as a user, for oneself" ownmount_user_reads $who alone
  ownmount_down
  check "own mount: as a user, for oneself: ends, and unmounts" ownmount_user_ended
  ownmount_inside umount /etc/fuse.conf
  ownmount_inside mount --bind "$allowed" /etc/fuse.conf
  ownmount_user_up $who
  check "own mount: as a user, for all" ownmount_user_reads $who all
  ownmount_down KILL
  ownmount_user_up $who
  check "own mount: as a user, after kill -9" ownmount_user_reads $who all
  ownmount_down
  check "own mount: as a user: ends, and unmounts" ownmount_user_ended
  # As in a container that is started as any number.
  who=23456
  chown -R $who "$ownmount_config" "$ownmount_place"
  ownmount_user_up $who
  check "own mount: as a user without a name: says what to do" ownmount_user_without /etc/passwd
  ownmount_down
  kill "$holder"
  { wait "$holder"; } 2>/dev/null
}

ownmount_apart() {
  [ "$(readlink "/proc/$holder/ns/mnt")" != "$(readlink /proc/self/ns/mnt)" ]
}

# ownmount_inside COMMAND…: in the namespace.
ownmount_inside() {
  nsenter -t "$holder" -m -- "$@"
}

# ownmount_user_up USER [SETTING…]
ownmount_user_up() {
  local who=$1 group
  group=$(id -g "$who" 2>/dev/null) || group=$who
  shift
  : >"$ownmount_log"
  nsenter -t "$holder" -m -- setpriv --reuid "$who" --regid "$group" --clear-groups env HOME="$ownmount_config" DOTNET_ROOT="$stage/own-dotnet" \
    "${ownmount_settings[@]}" NzbDav__Mount__Path="$ownmount_place" "$@" \
    "$stage/own-bin/nzbdav" --config "$ownmount_config" --urls "${url:-http://127.0.0.1:0}" >"$ownmount_log" 2>&1 </dev/null &
  server=$!
  processes[ownmount_slot]=$server
  until_true 180 ownmount_spoke
  url=$(sed -nE 's|^NzbDav serves WebDAV at (.*)/dav/$|\1|p' "$ownmount_log" | head -n 1)
}

# ownmount_user_without TEXT
ownmount_user_without() {
  grep -F 'There is no mount' "$ownmount_log" | grep -qF "$1" || because "the log says: $(tail -n 3 "$ownmount_log")"
  until_true 180 server_ready || because "the server does not run"
  ! ownmount_inside mountpoint -q "$ownmount_place" || because "there is a mount"
}

# ownmount_user_reads USER WHO: the user reads it, and others if it is for all.
ownmount_user_reads() {
  local dav=$url/dav group
  group=$(id -g "$1" 2>/dev/null) || group=$1
  ownmount_inside setpriv --reuid "$1" --regid "$group" --clear-groups ls "$ownmount_place" | grep -qx content || because "it is not mounted: $(tail -n 3 "$ownmount_log")"
  same "owner" "$(id -u "$1" 2>/dev/null || echo "$1") $group" "$(ownmount_inside setpriv --reuid "$1" --regid "$group" --clear-groups stat -c '%u %g' "$ownmount_place/content")"
  if ! ownmount_inside setpriv --reuid "$1" --regid "$group" --clear-groups test -e "$ownmount_place/content/$category/$job/$odd"; then
    put_nzb "$stage/own/$job.nzb" "$category"
    until_true 120 published "content/$category/$(escaped "$job")/$(escaped "$odd")" || because "it is not published"
  fi
  ownmount_inside setpriv --reuid "$1" --regid "$group" --clear-groups cat "$ownmount_place/content/$category/$job/$mp4" | cmp - "$sources/$mp4"
  local other=0
  ownmount_inside setpriv --reuid 34567 --regid 34567 --clear-groups ls "$ownmount_place/content" >/dev/null 2>&1 || other=1
  same "others are kept out" "$([ "$2" = all ] && echo 0 || echo 1)" "$other"
}

ownmount_user_ended() {
  same "exit code" 0 "$ownmount_status"
  ! ownmount_inside mountpoint -q "$ownmount_place" || because "it is still mounted"
  same "what it holds" '' "$(ownmount_inside ls -A "$ownmount_place")"
}
