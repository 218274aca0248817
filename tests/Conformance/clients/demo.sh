# The demo, started as the README says, by people who have read nothing else.
check_demo() {
  demo_from "demo: dotnet run --project backend -- --demo" "$root" --project backend
  demo_from "demo: cd backend && dotnet run -- --demo" "$root/backend"
}

# demo_from NAME FOLDER OPTION…
demo_from() {
  local name=$1 folder=$2 arguments=(--demo) pid status=0
  shift 2
  # Someone else's server may have the port.
  if (exec 3<>/dev/tcp/localhost/8080) 2>/dev/null; then
    arguments+=(--urls http://127.0.0.1:0)
  fi
  mkdir -p "$stage/demo"

  # What an earlier one said is not taken for this one's word.
  : >"$stage/demo.log"
  # A session of its own: dotnet run is several processes.
  (cd "$folder" && exec env TMPDIR="$stage/demo" setsid dotnet run "$@" -- "${arguments[@]}") >"$stage/demo.log" 2>&1 </dev/null &
  pid=$!
  processes+=("$pid")
  # It builds first, beside whatever else the checks run.
  if ! until_true 200 demo_spoke "$pid" || gone "$pid"; then
    fail "$name" "it did not say that it is ready" "$stage/demo.log"
    kill "$pid" 2>/dev/null
    return
  fi
  check "$name" demo_plays
  kill -TERM "$pid"
  wait "$pid" 2>/dev/null || status=$?
  check "$name: ends when told to" same "exit code" 0 $status
  check "$name: leaves nothing" demo_left_nothing
}

demo_spoke() {
  grep -q '^Ctrl+C stops it' "$stage/demo.log" || gone "$1"
}

demo_plays() {
  local address
  address=$(sed -nE 's/^ *browser +(http.*\.mp4)$/\1/p' "$stage/demo.log")
  limited 60 ffprobe -v error -show_entries format=duration:stream=codec_name -of compact "$address" >"$own/probe"
  limited 60 ffprobe -v error -show_entries format=duration:stream=codec_name -of compact "$sources/$mp4" | diff - "$own/probe"
  curl -sSf --max-time 60 -o "$own/copy" "$address"
  same_bytes "$mp4" "$sources/$mp4" "$own/copy"
  address=$(sed -nE 's/^ *mpv +mpv (http.*\.mkv)$/\1/p' "$stage/demo.log")
  limited 60 ffmpeg -v error -nostdin -ss 70 -i "$address" -frames:v 1 -an -f framehash - | grep -q '^0,'
}

demo_left_nothing() {
  # dotnet's own folders for its diagnostics and builds may stay; ours may not.
  same "what is left" '' "$(find "$stage/demo" -maxdepth 1 -name 'nzbdav-*')"
}
