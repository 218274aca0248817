# rclone: listings, reads at offsets, copies with several threads, checks that download; and an .nzb dropped with it.
check_rclone() {
  dav_password=$(rclone obscure "$password")
  check "CLI-01 rclone: lsf" rclone_list
  check "CLI-01 rclone: cat whole, from an offset, from the end" rclone_cat
  check "CLI-01 rclone: copy of the whole tree" rclone_copy
  check "CLI-01 rclone: check --download" rclone_check
  check "CLI-02 rclone: copy with several threads" rclone_threads
  check "CLI-01 rclone: size and about" rclone_size
  check "CLI-01 rclone: drops an .nzb" rclone_drop
  check "CLI-01 rclone: links lead to the files" rclone_links
  check "CLI-01 rclone: writes, checks, moves and removes in the scratch folder" rclone_scratch
}

# The remote is the tree's root. remote PATH for the command line.
rclone_run() {
  limited 90 env RCLONE_CONFIG=/dev/null rclone --retries 1 --low-level-retries 1 \
    --webdav-url "$dav/" --webdav-vendor other --webdav-user "$user" --webdav-pass "$dav_password" "$@"
}

rclone_list() {
  rclone_run lsf -R --files-only --format ps ":webdav:content/$category/$job" | sort >"$stage/list"
  (cd "$sources" && stat -c '%n;%s' "$big" "$mp4" "$mkv" "$odd" | sort) >"$stage/expected"
  diff "$stage/expected" "$stage/list"
  rclone_run lsf ":webdav:" | sort | tr '\n' ' ' >"$stage/list"
  same "the tree's root" '.ids/ completed-symlinks/ content/ nzbs/ scratch/ torrents/ ' "$(cat "$stage/list")"
}

rclone_cat() {
  local size
  size=$(stat -c %s "$sources/$big")
  rclone_run cat ":webdav:content/$category/$job/$big" | cmp - "$sources/$big"
  rclone_run cat --offset 12345678 --count 1500000 ":webdav:content/$category/$job/$big" >"$stage/part"
  bytes_of "$sources/$big" 12345678 1500000 | cmp - "$stage/part"
  rclone_run cat --offset -777 ":webdav:content/$category/$job/$big" >"$stage/part"
  bytes_of "$sources/$big" $((size - 777)) 777 | cmp - "$stage/part"
  rclone_run cat --head 10 ":webdav:content/$category/$job/$odd" | cmp - <(head -c 10 "$sources/$odd")
}

rclone_copy() {
  rclone_run copy --transfers 4 --multi-thread-streams 0 ":webdav:content" "$stage/tree"
  local name
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    same_bytes "$name" "$sources/$name" "$stage/tree/$category/$job/$name"
  done
}

rclone_check() {
  rclone_run check --download ":webdav:content" "$stage/tree"
  # It can find a difference.
  printf x | dd of="$stage/tree/$category/$job/$big" bs=1 seek=30000000 conv=notrunc status=none
  ! rclone_run check --download ":webdav:content" "$stage/tree" 2>/dev/null || because "a changed byte went unseen"
  rm -r "$stage/tree"
}

rclone_threads() {
  rclone_run copy -vv --multi-thread-cutoff 1M --multi-thread-streams 4 ":webdav:content/$category/$job/$big" "$stage/tree" 2>"$stage/rclone.log"
  grep -q 'multi-thread copy' "$stage/rclone.log" || because "rclone used one thread only"
  same_bytes "$big" "$sources/$big" "$stage/tree/$big"
  rm -r "$stage/tree"
}

rclone_size() {
  grep -q 'Total objects: 4' <<<"$(rclone_run size ":webdav:content/$category/$job")"
  rclone_run about ":webdav:"
}

# rclone looks at what it wrote: an .nzb that is imported before it looks must not seem lost, else rclone sends it again.
rclone_drop() {
  local i
  mkdir -p "$stage/drop"
  for i in {1..10}; do
    cp "$stage/Second.nzb" "$stage/drop/By rclone $i.nzb"
  done
  rclone_run copy --retries 3 "$stage/drop" ":webdav:nzbs/tv" || because "rclone misses what it sent"
  for i in {1..10}; do
    until_true 60 published "content/tv/By%20rclone%20$i/Second.bin" || because "number $i is not published"
  done
  rclone_run cat ":webdav:content/tv/By rclone 1/Second.bin" | cmp - "$sources/Second.bin"
  same "folders of it" 10 "$(rclone_run lsf ":webdav:content/tv" | grep -c 'By rclone')"
}

# What a mount with --links shows as symbolic links.
rclone_links() {
  local target
  target=$(rclone_run cat ":webdav:completed-symlinks/$category/$job/$big.rclonelink")
  [[ $target == "$stage/mount-off/.ids/"?/?/?/?/?/* ]] || because "the link says: $target"
  same "size of the link" "${#target}" "$(rclone_run lsf --format s ":webdav:completed-symlinks/$category/$job/$big.rclonelink")"
  rclone_run cat ":webdav:${target#"$stage"/mount-off/}" | cmp - "$sources/$big"
}

rclone_scratch() {
  rclone_run copy "$sources" ":webdav:scratch/by rclone"
  rclone_run check --download "$sources" ":webdav:scratch/by rclone"
  rclone_run copyto ":webdav:scratch/by rclone/$odd" ":webdav:scratch/copy/$odd"
  rclone_run moveto ":webdav:scratch/by rclone/$odd" ":webdav:scratch/moved/$odd"
  rclone_run cat ":webdav:scratch/moved/$odd" | cmp - "$sources/$odd"
  rclone_run cat ":webdav:scratch/copy/$odd" | cmp - "$sources/$odd"
  rclone_run move ":webdav:scratch/by rclone" ":webdav:scratch/all moved"
  rclone_run check --download --one-way ":webdav:scratch/all moved" "$sources"
  local folder
  for folder in "all moved" moved copy; do
    rclone_run purge ":webdav:scratch/$folder"
  done
  rclone_run rmdirs --leave-root ":webdav:scratch"
  same "what is left" '' "$(rclone_run lsf ":webdav:scratch")"
}
