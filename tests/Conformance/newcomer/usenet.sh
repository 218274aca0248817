# The account and the files that a new user has: a provider and a swarm on loopback, an .nzb and a .torrent. Sourced by .ci/new-user.
film=$root/backend/Host/Demo/Media/NzbDav\ Demo.mkv

start_usenet() {
  local project
  for project in MockUsenet MockSwarm; do
    [ -n "${NZBDAV_BUILT:-}" ] || dotnet build "$root/tools/$project" -nodeReuse:false -v quiet -nologo || return
  done
  # The names that the documents use.
  cp "$film" "$stage/video.mkv"
  "$root/tools/MockUsenet/bin/Debug/net10.0/nzbdav-mock-usenet" --file "$stage/video.mkv" --nzb-out "$stage/Some Show.nzb" >"$stage/usenet.log" 2>&1 </dev/null &
  "$root/tools/MockSwarm/bin/Debug/net10.0/nzbdav-mock-swarm" --size 4M --name 'Some Film' --torrent-out "$stage/Some Film.torrent" --files-out "$stage/swarm" >"$stage/swarm.log" 2>&1 </dev/null &
  until_true 60 usenet_is_up || because "they do not start: $(tail -n 3 "$stage/usenet.log" "$stage/swarm.log")"
  provider_port=$(sed -nE 's/.*"ports":\[([0-9]+).*/\1/p' "$stage/usenet.log")
  install -o 1000 -g 1000 -m 644 "$stage/Some Show.nzb" "$stage/Some Film.torrent" "$system/home/anna/NzbDav/"
}

usenet_is_up() {
  grep -qs '^{' "$stage/usenet.log" && [ -s "$stage/Some Film.torrent" ] && grep -qs '^{' "$stage/swarm.log"
}

# What a library of altmount holds before its first title.
old_library() {
  mkdir -p "$system/path/to/old/config/metadata"
  printf 'metadata:\n  root_path: /config/metadata\n' >"$system/path/to/old/config/config.yaml"
  chmod -R a+rX "$system/path"
}
