# rclone mount: what media servers read through.
check_mount() {
  if ! fuse_offered; then
    cannot "rclone mount" mount "$why_no_fuse"
    return
  fi
  dav_password=$(rclone obscure "$password")
  local mode
  for mode in off full; do
    mount_place=$stage/mount-$mode
    mounts+=("$mount_place")
    check "CLI-01 rclone mount, cache $mode: mount" mount_up "$mode"
    processes+=("$(cat "$stage/mount.pid")")
    mountpoint -q "$mount_place" || continue
    check "CLI-01 rclone mount, cache $mode: ls" mount_list
    check "CLI-01 rclone mount, cache $mode: whole and at offsets" mount_read
    check "CLI-01 rclone mount, cache $mode: readers at the same time" mount_together
    check "CLI-01 rclone mount, cache $mode: ffmpeg near the end" mount_frame
    check "CLI-01 rclone mount, cache $mode: drops an .nzb" mount_drop "$mode"
    check "CLI-01 rclone mount, cache $mode: links lead to the files" mount_links
    [ "$mode" != full ] || check "WRT-06 rclone mount: rm -r of the links keeps the files" mount_removes_links
    check "CLI-01 rclone mount, cache $mode: unmount" limited 60 umount "$mount_place"
  done
}

mount_up() {
  mkdir -p "$mount_place"
  RCLONE_CONFIG=/dev/null RCLONE_WEBDAV_PASS=$dav_password rclone mount ":webdav:" "$mount_place" \
    --webdav-url "$dav/" --webdav-vendor other --webdav-user "$user" --cache-dir "$stage/mount-cache" \
    --vfs-cache-mode "$1" --dir-cache-time 2s >"$stage/mount.log" 2>&1 </dev/null &
  echo $! >"$stage/mount.pid"
  until_true 60 mountpoint -q "$mount_place" || because "$(cat "$stage/mount.log")"
}

mount_list() {
  local name
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    same "size of $name" "$(stat -c %s "$sources/$name")" "$(stat -c %s "$mount_place/content/$category/$job/$name")"
  done
}

mount_read() {
  local name place=$mount_place/content/$category/$job start
  for start in 67000000 0 33333333 12345678 716799; do
    bytes_of "$place/$big" "$start" 100000 >"$stage/part"
    bytes_of "$sources/$big" "$start" 100000 | cmp - "$stage/part"
  done
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    same_bytes "$name" "$sources/$name" "$place/$name"
  done
}

# Eight readers in one file, each with a stretch of its own.
mount_together() {
  local i pids=()
  for i in {0..7}; do
    (cmp <(bytes_of "$sources/$big" $((i * 8000000)) 8000000) <(bytes_of "$mount_place/content/$category/$job/$big" $((i * 8000000)) 8000000)) &
    pids+=($!)
  done
  for i in "${pids[@]}"; do
    wait "$i"
  done
}

mount_frame() {
  local place=$mount_place/content/$category/$job
  limited 60 ffmpeg -v error -nostdin -ss 71.9 -i "$place/$mkv" -frames:v 1 -an -f framehash - >"$stage/hash"
  limited 60 ffmpeg -v error -nostdin -ss 71.9 -i "$sources/$mkv" -frames:v 1 -an -f framehash - | diff - "$stage/hash"
  grep -q '^0,' "$stage/hash" || because "it decoded no frame"
}

# mount_drop MODE
mount_drop() {
  limited 30 cp "$stage/Second.nzb" "$mount_place/nzbs/tv/By mount $1.nzb"
  until_true 60 published "content/tv/By%20mount%20$1/Second.bin" || because "it is not published"
  # rclone looks at what it wrote, and writes again when that is not there.
  sleep 3
  ! grep -E 'ERROR|Failed' "$stage/mount.log" || because "rclone complained"
  same "folders in the category" 1 "$(http -X PROPFIND -H 'Depth: 1' "$dav/content/tv/" | grep -oE "href>[^<]*By%20mount%20$1[^<]*" | wc -l)"
}

mount_links() {
  local link=$mount_place/completed-symlinks/$category/$job/$mkv.rclonelink target
  target=$(cat "$link")
  same "size of the link" "${#target}" "$(stat -c %s "$link")"
  [[ $target == "$stage/mount-off/.ids/"* ]] || because "the link says: $target"
  same_bytes "$mkv" "$sources/$mkv" "$mount_place/${target#"$stage"/mount-off/}"
}

# What an *arr does after its import.
mount_removes_links() {
  local folder=$mount_place/completed-symlinks/$category/$job target
  target=$(cat "$folder/$mkv.rclonelink")
  limited 30 rm -r "$folder"
  [ ! -e "$folder" ] || because "the folder is still there"
  [ -d "$mount_place/completed-symlinks/$category" ] || because "the category is gone"
  same_bytes "$mkv" "$sources/$mkv" "$mount_place/${target#"$stage"/mount-off/}"
  same_bytes "$mkv" "$sources/$mkv" "$mount_place/content/$category/$job/$mkv"
  ! limited 30 rm "$mount_place/content/$category/$job/$mkv" 2>/dev/null || because "what the link leads to was removed"
  same "status afterwards" 200 "$(http -o /dev/null -w '%{http_code}' -I "$(address_of "$mkv")")"
}
