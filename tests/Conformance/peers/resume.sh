# kill -9 in the middle of a download: what is claimed afterwards is right, and the rest is fetched.

# holds_mib COUNT FILE: the file takes so much of the disk.
holds_mib() {
  [ -e "$2" ] && [ "$(du -m "$2" | cut -f 1)" -ge "$1" ]
}

check_resume() {
  local pid port
  dotnet exec "$mock" --seeders 1 --rate 1500K --size 24M --files 3 --piece-length 256K --info-padding 3M --name set --exit-with-stdin \
    <>"$stage/open" >"$stage/resume.json" 2>&1 &
  started+=($!)
  wait_for 120 grep -q ready "$stage/resume.json"
  port=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["ports"][0])' "$stage/resume.json")
  dotnet exec "$tester" fetch "$stage/set.torrent" --peer "127.0.0.1:$port" --cache "$stage/resume-cache" --out "$stage/resume-out" >"$stage/resume.log" 2>&1 </dev/null &
  pid=$!
  started+=($pid)
  # Checkpoints come every ten seconds: one that has more than eight of 24 MiB.
  wait_for 120 holds_mib 8 "$stage/resume-cache/$hash.data"
  touch "$stage/resume-begun"
  wait_for 120 test "$stage/resume-cache/$hash.resume" -nt "$stage/resume-begun"
  kill -9 "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  rm -rf "$stage/resume-out"
  if fetch_ours "$stage/resume-out" "$stage/set.torrent" --peer "127.0.0.1:$port" --cache "$stage/resume-cache" && same_set "$stage/resume-out" \
    && [ "$(sed -n 's/^payload \([0-9]*\) .*/\1/p' "$stage/resume-out.log")" -lt 20000000 ]; then
    ok "resume after kill -9"
  else
    fail "resume after kill -9" "$(tail -1 "$stage/resume-out.log")"
  fi

  # After a clean end nothing is fetched again.
  rm -rf "$stage/resume-out"
  if fetch_ours "$stage/resume-out" "$stage/set.torrent" --cache "$stage/resume-cache" && same_set "$stage/resume-out" && grep -q '^payload 0 ' "$stage/resume-out.log"; then
    ok "resume after a clean end fetches nothing"
  else
    fail "resume after a clean end fetches nothing" "$(tail -2 "$stage/resume-out.log" | head -1)"
  fi
}
