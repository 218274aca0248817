# The same files serve arm64: the code is for no processor, and SQLite's library is there for both. Sourced by .ci/containers.
check_arm() {
  docker create --name published nzbdav >/dev/null && docker cp published:/app "$stage/app" >/dev/null && docker rm -v published >/dev/null
  check "arm64: the code is for any processor" python3 "$parts/anycpu.py" "$stage/app"
  check "arm64: SQLite's library is there for both" native_machines
}

# The machine of an ELF file: 62 is x86-64, 183 is AArch64.
native_machines() {
  local x64 arm64
  x64=$(od -An -tu2 -j 18 -N 2 "$stage/app/runtimes/linux-x64/native/libe_sqlite3.so" | xargs)
  arm64=$(od -An -tu2 -j 18 -N 2 "$stage/app/runtimes/linux-arm64/native/libe_sqlite3.so" | xargs)
  same "machines" '62 183' "$x64 $arm64"
}
