# The server ends, in good order and in bad, and is as it was when it is back.
check_restart() {
  local tag status started
  tag=$(tag_of_big)

  # A slow reader is in the middle of the file when the server is told to stop.
  slow_reader 2M
  started=$SECONDS
  stop_server TERM
  status=$?
  wait "$reader" 2>/dev/null
  local cut=$?
  check "restart: SIGTERM ends it with 0" same "exit code" 0 $status
  check "restart: SIGTERM ends it within 15 s, though somebody reads" test $((SECONDS - started)) -le 15
  check "restart: a reader is told that the file is not whole" restart_cut $cut
  again "restart: after SIGTERM" "$tag"

  # An .nzb is durable from the moment its PUT is answered.
  cp "$stage/Second.nzb" "$stage/By crash.nzb"
  put_nzb "$stage/By crash.nzb" music >"$stage/put.log" 2>&1
  status=$?
  stop_server KILL
  check "restart: the PUT before kill -9" same "its exit code" 0 $status
  again "restart: after kill -9" "$tag"
  late+=(check_restart_late)
}

# The lease of the killed process runs out after a minute.
check_restart_late() {
  check "restart: the .nzb that was put before kill -9" restart_crashed
}

# restart_cut STATUS: the reader has the file's beginning and an error.
restart_cut() {
  [ "$1" -ne 0 ] || because "curl found nothing wrong with $(stat -c %s "$stage/copy") bytes"
  cmp <(head -c "$(stat -c %s "$stage/copy")" "$sources/$big") "$stage/copy"
}

tag_of_big() {
  http -f -I "$(address_of "$big")" | tr -d '\r' | sed -nE 's/^etag: *//Ip'
}

# again NAME TAG: starts it; all is as it was.
again() {
  if ! start_server; then
    fail "$1" "the server does not start" "$stage/server.log"
    return
  fi
  check "$1: the same bytes" restart_bytes
  check "$1: the same entity tag" same tag "$2" "$(tag_of_big)"
}

restart_bytes() {
  local name
  for name in "$big" "$mp4" "$odd"; do
    http -f -o "$stage/copy" "$(address_of "$name")"
    same_bytes "$name" "$sources/$name" "$stage/copy"
  done
}

restart_crashed() {
  until_true 90 published "content/music/By%20crash/Second.bin" || because "it is not published"
  http -f -o "$stage/copy" "$dav/content/music/By%20crash/Second.bin"
  same_bytes Second.bin "$sources/Second.bin" "$stage/copy"
}
