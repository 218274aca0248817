# mpv without a screen: plays the beginning, and goes on after jumps.
check_mpv() {
  local name
  for name in "$mp4" "$mkv"; do
    check "mpv: ${name##*.} from the beginning" mpv_plays "$name" 0
    check "mpv: ${name##*.} from near the end" mpv_plays "$name" 70
    check "mpv: ${name##*.} jumps while it plays" mpv_jumps "$name"
  done
}

mpv_run() {
  limited 60 mpv --no-config --vo=null --ao=null --no-terminal --untimed --msg-level=all=warn --log-file="$stage/mpv.log" "$@"
}

# mpv_plays NAME SECOND: 50 frames from there on. The position it ends at is printed by a script of one line.
mpv_plays() {
  mpv_position "$1" --start="$2" --frames=50 --script="$stage/position.lua"
  awk -v at="$(cat "$stage/position")" -v least="$2" 'BEGIN { exit !(at >= least && at < least + 5) }' ||
    because "it was at $(cat "$stage/position") s in the end"
}

# Three jumps, one of them backwards, each followed by a second of video.
mpv_jumps() {
  local second script=$stage/jumps.lua
  cat >"$script" <<'LUA'
local places, seen = { 60, 5, 40 }, {}
mp.register_event("file-loaded", function() mp.commandv("seek", places[1], "absolute+exact") end)
mp.observe_property("time-pos", "number", function(_, at)
  local want = places[#seen + 1]
  if at and want and at >= want + 1 and at < want + 3 then
    table.insert(seen, want)
    if places[#seen + 1] then mp.commandv("seek", places[#seen + 1], "absolute+exact") else mp.commandv("quit") end
  end
end)
mp.register_event("shutdown", function()
  local file = io.open(os.getenv("POSITION"), "w")
  file:write(table.concat(seen, " "))
  file:close()
end)
LUA
  mpv_position "$1" --script="$script" --end=74
  same "places it played at" "60 5 40" "$(cat "$stage/position")"
}

# mpv_position NAME OPTION…: plays; POSITION is where scripts leave what they saw.
mpv_position() {
  local name=$1
  shift
  cat >"$stage/position.lua" <<'LUA'
local last = 0
mp.observe_property("time-pos", "number", function(_, at) last = at or last end)
mp.register_event("shutdown", function()
  local file = io.open(os.getenv("POSITION"), "w")
  file:write(last)
  file:close()
end)
LUA
  rm -f "$stage/position"
  POSITION=$stage/position mpv_run "$@" "$(address_of "$name" inside)"
  # The player itself also warns of a machine that is too slow for it ("desynchronisation"): that is no fault of what it reads, so of it only errors count.
  ! grep -E '\[[ewf]\]\[(ffmpeg|stream|lavf|demux)|\[[ef]\]\[cplayer' "$stage/mpv.log" || because "mpv complained"
}
