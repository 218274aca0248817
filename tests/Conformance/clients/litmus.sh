# litmus: the WebDAV server test suite, against the folder that clients may write to as they like. Every test of its five suites counts.
check_litmus() {
  local suite
  for suite in basic copymove props locks http; do
    litmus_suite "$suite"
  done
  check "litmus: leaves nothing" litmus_left_nothing
}

# litmus_suite NAME: its lines are " 3. put_get............... pass"; a warning is a line that begins with "WARNING:" or " -> ".
litmus_suite() {
  local suite=$1 status=0 number name verdict
  mkdir -p "$stage/litmus"
  (cd "$stage/litmus" && TESTROOT=$stage/litmus HTDOCS=/usr/share/litmus/htdocs limited 120 "/usr/libexec/litmus/$suite" "$dav/scratch/" "$user" "$password") \
    >"$stage/litmus/$suite.log" 2>&1 </dev/null || status=$?
  while read -r number name verdict; do
    case $verdict in
      pass*) ok "litmus $suite: $name" ;;
      SKIPPED*) fail "litmus $suite: $name" "skipped" ;;
      *) fail "litmus $suite: $name" "${verdict:-said nothing}" ;;
    esac
  done < <(tr '\r' '\n' <"$stage/litmus/$suite.log" | sed -nE 's/^ *([0-9]+)\. ([a-z0-9_]+)\.+ *(.*)$/\1 \2 \3/p' | awk '{ last[$2] = $0; if (!($2 in order)) { order[$2] = ++n; names[n] = $2 } } END { for (i = 1; i <= n; i++) print last[names[i]] }')
  if grep -q '^WARNING\|-> [0-9]* warning' "$stage/litmus/$suite.log"; then
    fail "litmus $suite" "it warned" "$stage/litmus/$suite.log"
  elif [ "$status" -ne 0 ] || ! grep -q "^<- summary for .$suite.: of [0-9]* tests run: [0-9]* passed, 0 failed" "$stage/litmus/$suite.log"; then
    fail "litmus $suite" "ended with $status" "$stage/litmus/$suite.log"
  else
    ok "litmus $suite: $(sed -nE 's/^<- summary for .*: (of .*)/\1/p' "$stage/litmus/$suite.log")"
  fi
}

# Nothing of what it made is left unfinished on the disk.
litmus_left_nothing() {
  same "what is unfinished" '' "$(find "$config/scratch/unfinished" -mindepth 1)"
}
