# cadaver: the plain WebDAV client; its credentials come from a .netrc.
check_cadaver() {
  mkdir -p "$stage/home"
  printf 'machine 127.0.0.1\nlogin %s\npassword "%s"\n' "$user" "$password" >"$stage/home/.netrc"
  chmod 600 "$stage/home/.netrc"
  check "cadaver: ls" cadaver_list
  check "cadaver: get" cadaver_get
  check "cadaver: drops an .nzb" cadaver_drop
}

# Commands from standard input.
cadaver_run() {
  (cd "$stage" && HOME=$stage/home limited 60 cadaver "$dav/" >"$stage/cadaver.log" 2>&1)
  ! grep -iE 'failed|error|could not' "$stage/cadaver.log" || because "cadaver complained"
}

cadaver_list() {
  printf 'cd "content/%s/%s"\nls\nquit\n' "$category" "$job" | cadaver_run
  local name
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    grep -qF "$name" "$stage/cadaver.log" || because "$name is not listed: $(cat "$stage/cadaver.log")"
    grep -q "$(stat -c %s "$sources/$name")" "$stage/cadaver.log" || because "the size of $name is not listed"
  done
}

cadaver_get() {
  printf 'cd "content/%s/%s"\nget "%s" copy\nget "%s" copy-odd\nquit\n' "$category" "$job" "$big" "$odd" | cadaver_run
  same_bytes "$big" "$sources/$big" "$stage/copy"
  same_bytes "$odd" "$sources/$odd" "$stage/copy-odd"
}

cadaver_drop() {
  cp "$stage/Second.nzb" "$stage/By cadaver.nzb"
  printf 'cd nzbs/tv\nput "By cadaver.nzb"\nquit\n' | cadaver_run
  until_true 20 published "content/tv/By%20cadaver/Second.bin" || because "it is not published"
}
