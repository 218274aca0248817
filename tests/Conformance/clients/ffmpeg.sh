# ffprobe and ffmpeg: what the file is, every packet of it, a frame near its end; the same as from the local file.
check_ffmpeg() {
  local name
  for name in "$mp4" "$mkv"; do
    check "CLI-03 ffprobe: ${name##*.}" ffprobe_same "$name"
    check "CLI-03 ffmpeg: ${name##*.}, every packet" ffmpeg_packets "$name"
    check "CLI-03 ffmpeg: ${name##*.}, a frame near the end" ffmpeg_frame "$name" 72.3
    check "CLI-03 ffmpeg: ${name##*.}, a frame in the middle" ffmpeg_frame "$name" 31.7
  done
}

ffprobe_same() {
  local what=format=duration,size,format_name:stream=codec_name,width,height,nb_read_packets
  limited 60 ffprobe -v error -count_packets -show_entries "$what" -of compact "$(address_of "$1" inside)" >"$stage/probe"
  limited 60 ffprobe -v error -count_packets -show_entries "$what" -of compact "$sources/$1" | diff - "$stage/probe"
  [ -s "$stage/probe" ] || because "it found nothing"
}

ffmpeg_packets() {
  ffmpeg_hash -i "$(address_of "$1" inside)" -c copy -f streamhash - >"$stage/hash"
  ffmpeg_hash -i "$sources/$1" -c copy -f streamhash - | diff - "$stage/hash"
  [ -s "$stage/hash" ] || because "it read nothing"
}

# ffmpeg_frame NAME SECONDS
ffmpeg_frame() {
  ffmpeg_hash -ss "$2" -i "$(address_of "$1" inside)" -frames:v 1 -an -f framehash - >"$stage/hash"
  ffmpeg_hash -ss "$2" -i "$sources/$1" -frames:v 1 -an -f framehash - | diff - "$stage/hash"
  grep -q '^0,' "$stage/hash" || because "it decoded no frame"
}

ffmpeg_hash() {
  limited 60 ffmpeg -v error -nostdin "$@"
}
