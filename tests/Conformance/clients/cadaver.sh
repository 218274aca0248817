# cadaver: the plain WebDAV client; its credentials come from a .netrc.
check_cadaver() {
  mkdir -p "$stage/home"
  printf 'machine 127.0.0.1\nlogin %s\npassword "%s"\n' "$user" "$password" >"$stage/home/.netrc"
  chmod 600 "$stage/home/.netrc"
  check "CLI-05 cadaver: ls" cadaver_list
  check "CLI-05 cadaver: get" cadaver_get
  check "CLI-05 cadaver: drops an .nzb" cadaver_drop
  check "CLI-05 cadaver: locks, properties, copies and moves in the scratch folder" cadaver_scratch
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
  until_true 60 published "content/tv/By%20cadaver/Second.bin" || because "it is not published"
}

cadaver_scratch() {
  cp "$sources/$odd" "$stage/odd"
  printf 'cd scratch\nmkcol by\ncd by\nput odd one\nlock one\nput odd one\ndiscover one\nunlock one\nset namespace urn:x:\npropset one colour blue\npropget one colour\ncopy one two\npropget two colour\nmove two three\nget three copy-three\ndelete one three\ncd ..\nrmcol by\nls\nquit\n' | cadaver_run
  same_bytes "$odd" "$sources/$odd" "$stage/copy-three"
  [ "$(grep -c "is: blue" "$stage/cadaver.log")" -eq 2 ] || because "the property was not told twice: $(grep -n blue "$stage/cadaver.log" | tr "\n" " ")"
  same "status afterwards" 404 "$(http -o /dev/null -w '%{http_code}' -I "$dav/scratch/by/")"
}
