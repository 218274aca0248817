# The command line, beside the running server and alone.
check_command() {
  check "nzbdav import: through the running server" import_beside
  check "nzbdav import: from source, the path relative to where one is" import_from_source
  check "nzbdav import: refuses what is no .nzb" import_bad
  check "nzbdav import: says when the articles are gone" import_missing
  check "nzbdav import: without a server" import_alone
  check "nzbdav: a second server on one folder is refused" command_second_server
  check "nzbdav: an unknown setting is refused" command_unknown_setting
  check "nzbdav: a port that is taken is refused" command_port_taken
  check "nzbdav: without credentials nobody gets in, and it says so" command_closed
}

nzbdav() {
  limited 60 "$root/backend/bin/Debug/net10.0/nzbdav" "$@"
}

# status_of COMMAND…: its exit code; what it says goes to $stage/said.
status_of() {
  local status=0
  "$@" >"$stage/said" 2>&1 || status=$?
  echo $status
}

import_beside() {
  cp "$stage/Second.nzb" "$stage/By hand.nzb"
  nzbdav import --config "$config" "$stage/By hand.nzb" --category tv | tee "$stage/said"
  same "what it said" 'By hand.nzb: /content/tv/By hand' "$(cat "$stage/said")"
  # What it announced must be there at once.
  http -f -o "$stage/copy" "$dav/content/tv/By%20hand/Second.bin"
  same_bytes Second.bin "$sources/Second.bin" "$stage/copy"
}

import_from_source() {
  cp "$stage/Second.nzb" "$stage/From source.nzb"
  (cd "$stage" && limited 120 dotnet run --project "$root/backend" -- import --config config --category tv 'From source.nzb') | tee "$stage/said"
  grep -qxF 'From source.nzb: /content/tv/From source' "$stage/said" || because "it said: $(cat "$stage/said")"
}

import_bad() {
  echo 'this is no nzb' >"$stage/bad.nzb"
  same "exit code" 1 "$(status_of nzbdav import --config "$config" "$stage/bad.nzb")"
  grep -q '^bad.nzb: ' "$stage/said" || because "it said: $(cat "$stage/said")"
  same "exit code for a file that is not there" 1 "$(status_of nzbdav import --config "$config" "$stage/nowhere.nzb")"
}

import_missing() {
  sed -E 's|(<segment [^>]*>)|\1gone-|' "$stage/Second.nzb" >"$stage/Gone.nzb"
  same "exit code" 1 "$(status_of nzbdav import --config "$config" "$stage/Gone.nzb" --category tv)"
  grep -q '^Gone.nzb: ' "$stage/said" || because "it said: $(cat "$stage/said")"
  # People with nothing but a mount read the reason beside the .nzb.
  http -f "$dav/nzbs/tv/Gone.nzb.failed.txt" | grep -q . || because "there is no note"
  same "DELETE" 204 "$(http -X DELETE -o /dev/null -w '%{http_code}' "$dav/nzbs/tv/Gone.nzb")"
}

import_alone() {
  same "exit code without a provider" 78 "$(status_of nzbdav import --config "$stage/alone" "$stage/Second.nzb")"
  env NzbDav__Usenet__Providers__0__Host=127.0.0.1 NzbDav__Usenet__Providers__0__Port="$other_port" NzbDav__Usenet__Providers__0__UseTls=false \
    timeout -k 5 240 "$root/backend/bin/Debug/net10.0/nzbdav" import --config "$stage/alone" "$stage/Second.nzb" >"$stage/said" 2>"$stage/said.errors"
  same "what it said" 'Second.nzb: /content/other/Second' "$(cat "$stage/said")"
}

command_second_server() {
  same "exit code" 78 "$(status_of nzbdav --config "$config" --urls http://127.0.0.1:0)"
  grep -q 'another server' "$stage/said" || because "it said: $(cat "$stage/said")"
}

command_unknown_setting() {
  same "exit code" 78 "$(NzbDav__Usenet__Provider__0__Host=x status_of nzbdav --config "$stage/alone" --urls http://127.0.0.1:0)"
  grep -q 'there is no such setting' "$stage/said" || because "it said: $(cat "$stage/said")"
}

command_port_taken() {
  same "exit code" 78 "$(status_of nzbdav --config "$stage/alone" --urls "$url")"
  same "lines" 1 "$(grep -c . "$stage/said")"
  grep -q "^nzbdav: it cannot listen on $url" "$stage/said" || because "it said: $(cat "$stage/said")"
}

command_closed() {
  local log=$stage/closed.log address pid
  "$root/backend/bin/Debug/net10.0/nzbdav" --config "$stage/alone" --urls http://127.0.0.1:0 >"$log" 2>&1 </dev/null &
  pid=$!
  # shellcheck disable=SC2064
  trap "kill $pid" EXIT
  until_true 60 grep -q 'No Usenet provider is configured' "$log"
  grep -q 'WebDAV refuses all requests until it has a user' "$log" || because "it said: $(cat "$log")"
  address=$(sed -nE 's|^NzbDav serves WebDAV at (.*/dav/)$|\1|p' "$log")
  same "without credentials" 401 "$(curl -s -o /dev/null -w '%{http_code}' "$address")"
  same "with some" 401 "$(http -o /dev/null -w '%{http_code}' "$address")"
  # Torrents need no provider.
  same "ready" 200 "$(curl -s -o /dev/null -w '%{http_code}' "${address%dav/}health/ready")"
}
