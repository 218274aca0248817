# A library of nzbdav that moved in: its links lead through a real rclone mount, at the path where nzbdav was mounted, to the same bytes.
# shellcheck source=mount.sh
. "$clients/mount.sh"
# shellcheck source=command.sh
. "$clients/command.sh"

check_moved() {
  if ! fuse_offered; then
    cannot "moved links" mount "$why_no_fuse"
    return
  fi
  moved_id=8f3e356e-2aca-4cd0-be91-b85f10835e26
  moved_ids=.ids/8/f/3/e/3/$moved_id
  dav_password=$(rclone obscure "$password")
  mount_place=$stage/old-mount
  mounts+=("$mount_place")
  check "moved links: mount at the old path" mount_up off
  processes+=("$(cat "$stage/mount.pid")")
  mountpoint -q "$mount_place" || return
  check "moved links: a library of nzbdav" moved_library
  check "moved links: a dry run changes nothing" moved_dry
  check "moved links: migrate, beside the running server" moved_migrate
  check "moved links: lead to the same bytes" moved_bytes
  check "moved links: the folders that they name are listed" moved_listed
  check "moved links: unmount" limited 60 umount "$mount_place"
}

# nzbdav 0.6: the .nzb is a blob, so is where the file lies; only the first is needed here.
moved_library() {
  mkdir -p "$stage/old/blobs/11/11" "$stage/library"
  cp "$stage/Second.nzb" "$stage/old/blobs/11/11/11111111-1111-1111-1111-111111111111"
  python3 - "$stage/old/db.sqlite" "$moved_id" "$(stat -c %s "$sources/Second.bin")" "$mount_place" <<'PYTHON'
import sqlite3, sys

path, file_id, size, mount = sys.argv[1:]
nzb, category, release = ("%s1111111-1111-1111-1111-111111111111" % digit for digit in "123")
root, content = ("00000000-0000-0000-0000-00000000000%d" % number for number in (0, 2))
database = sqlite3.connect(path)
database.executescript("""
CREATE TABLE __EFMigrationsHistory (MigrationId TEXT PRIMARY KEY, ProductVersion TEXT);
CREATE TABLE ConfigItems (ConfigName TEXT PRIMARY KEY, ConfigValue TEXT);
CREATE TABLE NzbNames (Id TEXT PRIMARY KEY, FileName TEXT);
CREATE TABLE DavItems (Id TEXT PRIMARY KEY, ParentId TEXT, Name TEXT, FileSize INTEGER, Type INTEGER, SubType INTEGER, CreatedAt TEXT, FileBlobId TEXT, NzbBlobId TEXT, HistoryItemId TEXT);
INSERT INTO __EFMigrationsHistory VALUES ('20260407215451_Add-Queue-Index', '10.0.0');
""")
database.execute("INSERT INTO ConfigItems VALUES ('rclone.mount-dir', ?)", (mount,))
database.execute("INSERT INTO NzbNames VALUES (?, 'Old Film.nzb')", (nzb,))
for row in (
    (root, None, "/", None, 1, 102, None),
    (content, root, "content", None, 1, 104, None),
    (category, content, "films", None, 1, 101, None),
    (release, category, "Old Film", None, 1, 101, None),
    (file_id.upper(), release, "Old Name.mkv", int(size), 2, 201, nzb),
):
    database.execute("INSERT INTO DavItems (Id, ParentId, Name, FileSize, Type, SubType, NzbBlobId, CreatedAt) VALUES (?, ?, ?, ?, ?, ?, ?, '2026-03-01 12:00:00')", row)
database.commit()
PYTHON
  ln -s "$mount_place/$moved_ids" "$stage/library/by id.mkv"
  ln -s "$mount_place/content/films/Old Film/Old Name.mkv" "$stage/library/by name.mkv"
}

moved_dry() {
  same "exit code" 0 "$(status_of nzbdav migrate --config "$config" --from nzbdav "$stage/old" --dry-run)"
  grep -qE '^  Would be migrated +1$' "$stage/said" || because "it said: $(cat "$stage/said")"
  same "titles in the catalog" 0 "$(python3 -c 'import sqlite3, sys; print(sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True).execute("SELECT COUNT(*) FROM moved_titles").fetchone()[0])' "$config/nzbdav.sqlite")"
  [ ! -e "$stage/library/by id.mkv" ] || because "the link leads somewhere before the library came"
}

moved_migrate() {
  same "exit code" 0 "$(status_of nzbdav migrate --config "$config" --from nzbdav "$stage/old")"
  until_true 60 published "$moved_ids" || because "the old path leads to nothing: $(cat "$stage/said")"
}

moved_bytes() {
  local link
  for link in "by id.mkv" "by name.mkv"; do
    until_true 20 test -e "$stage/library/$link" || because "$link is broken"
    same_bytes "$link" "$sources/Second.bin" "$stage/library/$link"
    bytes_of "$stage/library/$link" 4321000 100000 | cmp - <(bytes_of "$sources/Second.bin" 4321000 100000)
  done
}

moved_listed() {
  same "the folder of the id" "$moved_id" "$(ls "$mount_place/${moved_ids%/*}")"
  ls "$mount_place/content/films/Old Film" | grep -qxF 'Old Name.mkv' || because "$(ls "$mount_place/content/films/Old Film")"
}
