# gio: GNOME Files' own way, over gvfs on a message bus of its own.
check_gio() {
  mkdir -p "$stage/gio" && chmod 700 "$stage/gio"
  local bus
  bus=$(env HOME="$stage/gio" XDG_RUNTIME_DIR="$stage/gio" dbus-daemon --session --fork --print-address=1 --print-pid=1 --address="unix:path=$stage/gio/bus" \
    2>"$stage/gio.log") || no_stage "no message bus starts" "$stage/gio.log"
  gio_bus=$(sed -n 1p <<<"$bus")
  processes+=("$(sed -n 2p <<<"$bus")")
  gio_root="dav://$user@${dav#http://}"
  check "CLI-05 gio: mount" gio_mount
  check "CLI-05 gio: list" gio_list
  check "CLI-05 gio: files whole" gio_whole
  check "CLI-05 gio: drops an .nzb" gio_drop
  check "CLI-05 gio: writes, renames, moves and removes in the scratch folder" gio_scratch
  check "CLI-05 gio: unmount" gio_run mount -u "$gio_root/"
}

gio_run() {
  limited 60 env HOME="$stage/gio" XDG_RUNTIME_DIR="$stage/gio" DBUS_SESSION_BUS_ADDRESS="$gio_bus" gio "$@"
}

# It asks for the password on standard input: the user's name is in the address.
gio_mount() {
  printf '%s\n' "$password" | gio_run mount "$gio_root/"
  grep -q 'standard::type: 2' <<<"$(gio_run info "$gio_root/")" || because "the root is no folder"
}

gio_list() {
  local name
  gio_run list -a standard::name,standard::size "$gio_root/content/$category/$(escaped "$job")" >"$stage/gio.list"
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    grep -F "$name" "$stage/gio.list" | grep -qw "$(stat -c %s "$sources/$name")" || because "$name is not listed with its size: $(cat "$stage/gio.list")"
  done
  same "names in the folder" 4 "$(wc -l <"$stage/gio.list")"
}

gio_whole() {
  local name
  for name in "$big" "$mp4" "$odd"; do
    gio_run copy "$gio_root/content/$category/$(escaped "$job")/$(escaped "$name")" "$stage/gio.copy"
    same_bytes "$name" "$sources/$name" "$stage/gio.copy"
    rm "$stage/gio.copy"
  done
  gio_run cat "$gio_root/content/$category/$(escaped "$job")/$(escaped "$odd")" | cmp - "$sources/$odd" || because "cat gives other bytes"
}

gio_drop() {
  cp "$stage/Second.nzb" "$stage/By gio.nzb"
  gio_run copy "$stage/By gio.nzb" "$gio_root/nzbs/tv/"
  until_true 60 published "content/tv/By%20gio/Second.bin" || because "it is not published"
}

gio_scratch() {
  local place=$gio_root/scratch
  gio_run mkdir "$place/by%20gio"
  gio_run copy "$sources/Second.bin" "$place/by%20gio/one"
  gio_run cat "$place/by%20gio/one" | cmp - "$sources/Second.bin" || because "the upload has other bytes"
  gio_run copy "$sources/$odd" "$place/by%20gio/one"
  gio_run rename "$place/by%20gio/one" two
  gio_run mkdir "$place/by%20gio/deep"
  gio_run move "$place/by%20gio/two" "$place/by%20gio/deep/three"
  gio_run cat "$place/by%20gio/deep/three" | cmp - "$sources/$odd" || because "it is not there under its new name"
  gio_run remove "$place/by%20gio/deep/three"
  gio_run remove "$place/by%20gio/deep"
  gio_run remove "$place/by%20gio"
  same "status afterwards" 404 "$(http -o /dev/null -w '%{http_code}' -I "$dav/scratch/by%20gio/")"
}
