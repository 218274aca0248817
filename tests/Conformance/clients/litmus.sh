# litmus: the WebDAV server test suite, against the folder that clients may write to as they like. Every test of its five suites counts.
check_litmus() {
  local suite
  for suite in basic copymove props locks http; do
    litmus_suite "$suite"
  done
  check "WRT-02 litmus: leaves nothing" litmus_left_nothing
}

# litmus_suite NAME: it overwrites its lines, which end as " 3. put_get............... pass".
litmus_suite() {
  local suite=$1 status=0 number name verdict log=$stage/litmus-$1.log
  mkdir -p "$stage/litmus"
  (cd "$stage/litmus" && limited 120 "/usr/libexec/litmus/$suite" --htdocs /usr/share/litmus/htdocs "$dav/scratch/" "$user" "$password") >"$log" 2>&1 </dev/null || status=$?
  while read -r number name verdict; do
    case $verdict in
      pass) ok "WRT-02 litmus $suite: $number $name" ;;
      *) fail "WRT-02 litmus $suite: $number $name" "${verdict:-said nothing}" ;;
    esac
  done < <(sed -nE 's/^.*\r *([0-9]+)\. ([a-z0-9_]+)\.* +(.*)$/\1 \2 \3/p' "$log")
  if [ "$status" -ne 0 ] || grep -qi warning "$log" || ! grep -qE "^<- summary for .$suite.: of [0-9]+ tests run: [0-9]+ passed, 0 failed" "$log"; then
    fail "WRT-02 litmus $suite" "ended with $status" "$log"
  fi
}

# Nothing of what it made is left unfinished on the disk.
litmus_left_nothing() {
  same "what is unfinished" '' "$(find "$config/scratch/unfinished" -mindepth 1)"
}
