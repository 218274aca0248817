# davfs2: a kernel mount that fetches files whole.
check_davfs() {
  if ! fuse_offered; then
    cannot "davfs2: mount" mount "$why_no_fuse"
    return
  fi
  davfs_place=$stage/davfs
  mounts+=("$davfs_place")
  check "CLI-05 davfs2: mount" davfs_mount
  mountpoint -q "$davfs_place" || return
  check "CLI-05 davfs2: ls" davfs_list
  check "CLI-05 davfs2: files whole" davfs_whole
  check "CLI-05 davfs2: drops an .nzb" davfs_drop
  check "CLI-05 davfs2: writes, renames and removes in the scratch folder" davfs_scratch
  check "CLI-05 davfs2: unmount" limited 60 umount "$davfs_place"
}

davfs_mount() {
  mkdir -p "$davfs_place" "$stage/davfs-cache"
  printf '%s "%s" "%s"\n' "$davfs_place" "$user" "$password" >"$stage/davfs-secrets"
  chmod 600 "$stage/davfs-secrets"
  # As a user of its own, davfs2 must reach its cache.
  chmod 711 "$stage"
  chgrp davfs2 "$stage/davfs-cache"
  chmod 770 "$stage/davfs-cache"
  # The buffer that Linux 6.16 and later ask for, as in docs/clients.md. The rest suits a test: a short memory of listings, uploads at once.
  # It locks what it writes.
  printf '%s\n' "secrets $stage/davfs-secrets" "cache_dir $stage/davfs-cache" 'buf_size 64' 'ask_auth 0' 'dir_refresh 1' 'file_refresh 1' \
    'delay_upload 0' >"$stage/davfs.conf"
  limited 60 mount.davfs -o "conf=$stage/davfs.conf,uid=$(id -u),gid=$(id -g)" "$dav/" "$davfs_place"
  mountpoint -q "$davfs_place" || because "nothing is mounted"
}

davfs_list() {
  local name
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    same "size of $name" "$(stat -c %s "$sources/$name")" "$(stat -c %s "$davfs_place/content/$category/$job/$name")"
  done
  same "names in the folder" 4 "$(limited 30 ls "$davfs_place/content/$category/$job" | wc -l)"
}

davfs_whole() {
  local name
  for name in "$big" "$mp4" "$odd"; do
    same_bytes "$name" "$sources/$name" "$davfs_place/content/$category/$job/$name"
  done
}

davfs_drop() {
  limited 30 cp "$stage/Second.nzb" "$davfs_place/nzbs/tv/By davfs.nzb"
  until_true 60 published "content/tv/By%20davfs/Second.bin" || because "it is not published"
  sleep 3
  same "folders in the category" 1 "$(http -X PROPFIND -H 'Depth: 1' "$dav/content/tv/" | grep -oE 'href>[^<]*By%20davfs[^<]*' | wc -l)"
}

davfs_scratch() {
  local place=$davfs_place/scratch
  limited 30 mkdir "$place/by davfs"
  limited 60 cp "$sources/Second.bin" "$place/by davfs/one"
  until_true 60 davfs_uploaded one "$sources/Second.bin"
  limited 60 cp "$sources/$odd" "$place/by davfs/one"
  until_true 60 davfs_uploaded one "$sources/$odd"
  limited 30 mv "$place/by davfs/one" "$place/by davfs/two"
  davfs_uploaded two "$sources/$odd" || because "it is not there under its new name"
  limited 30 rm -r "$place/by davfs"
  same "status afterwards" 404 "$(http -o /dev/null -w '%{http_code}' -I "$dav/scratch/by%20davfs/")"
}

# davfs_uploaded NAME SOURCE: the server has the same bytes.
davfs_uploaded() {
  http -f "$dav/scratch/by%20davfs/$1" 2>/dev/null | cmp -s - "$2"
}
