# curl: the protocol as it is on the wire.
check_curl() {
  local name
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    check "CLI-05 curl: $name whole" curl_whole "$name"
    check "CLI-05 curl: $name HEAD" curl_head "$name"
  done
  check "CLI-05 curl: ranges" curl_ranges
  check "CLI-05 curl: ranges across articles, in parallel" curl_parallel
  check "CLI-05 curl: a range past the end is 416" curl_past_end
  check "CLI-05 curl: conditions" curl_conditions
  check "CLI-05 curl: resumes a broken download" curl_resume
  check "CLI-05 curl: HEAD, GET and PROPFIND agree" curl_agree
  check "CLI-05 curl: no password, no entry" curl_locked
  check "CLI-05 curl: OPTIONS is open" curl_options
  check "CLI-05 curl: what is imported is read-only" curl_read_only
  check "CLI-05 curl: a broken .nzb is refused with the reason" curl_bad_nzb
}

curl_whole() {
  http -f -o "$stage/copy" "$(address_of "$1")"
  same_bytes "$1" "$sources/$1" "$stage/copy"
}

curl_head() {
  http -f -I "$(address_of "$1")" | tr -d '\r' >"$stage/head"
  same Content-Length "$(stat -c %s "$sources/$1")" "$(header_of content-length)"
  same Accept-Ranges bytes "$(header_of accept-ranges)"
  same Set-Cookie '' "$(header_of set-cookie)"
  [ -n "$(header_of etag)" ] || because "there is no ETag"
  [ -n "$(header_of last-modified)" ] || because "there is no Last-Modified"
}

# header_of NAME: from $stage/head.
header_of() {
  sed -nE "s/^$1: *//Ip" "$stage/head" | tail -n 1
}

# one_range RANGE START COUNT: of the big file.
one_range() {
  local size
  size=$(stat -c %s "$sources/$big")
  http -f -r "$1" -D "$stage/head.raw" -o "$stage/part" "$(address_of "$big")"
  tr -d '\r' <"$stage/head.raw" >"$stage/head"
  same "status of $1" 206 "$(sed -nE '1s|HTTP/1.1 ([0-9]+).*|\1|p' "$stage/head")"
  same "Content-Range of $1" "bytes $2-$(($2 + $3 - 1))/$size" "$(header_of content-range)"
  same "Content-Length of $1" "$3" "$(header_of content-length)"
  bytes_of "$sources/$big" "$2" "$3" | cmp - "$stage/part"
}

curl_ranges() {
  local size
  size=$(stat -c %s "$sources/$big")
  one_range 0-0 0 1
  one_range 0-1 0 2
  one_range 1000-70000 1000 69001
  one_range 716799-716800 716799 2
  one_range 700000-3000000 700000 2300001
  one_range -1 $((size - 1)) 1
  one_range -100000 $((size - 100000)) 100000
  one_range "-$((size * 2))" 0 "$size"
  one_range $((size - 1))- $((size - 1)) 1
  one_range $((size / 2))- $((size / 2)) $((size - size / 2))
  one_range "$((size - 10))-$((size + 10))" $((size - 10)) 10
}

curl_parallel() {
  local i size start arguments=()
  size=$(stat -c %s "$sources/$big")
  for i in {0..31}; do
    start=$((i * 7919 * 9973 % (size - 500000)))
    [ "$i" -eq 0 ] || arguments+=(--next)
    arguments+=(-sS -f --max-time 60 -u "$user:$password" -r "$start-$((start + 499999))" -o "$stage/part-$i" "$(address_of "$big")")
  done
  limited 90 curl --parallel --parallel-max 16 "${arguments[@]}"
  for i in {0..31}; do
    start=$((i * 7919 * 9973 % (size - 500000)))
    bytes_of "$sources/$big" "$start" 500000 | cmp - "$stage/part-$i"
  done
  rm "$stage"/part-*
}

curl_past_end() {
  local size
  size=$(stat -c %s "$sources/$big")
  same status "416 bytes */$size" "$(http -r "$size-" -o /dev/null -w '%{http_code} %header{content-range}' "$(address_of "$big")" 2>/dev/null || true)"
}

curl_conditions() {
  local address tag
  address=$(address_of "$odd")
  http -f -I "$address" | tr -d '\r' >"$stage/head"
  tag=$(header_of etag)
  same "If-None-Match" 304 "$(http -o /dev/null -w '%{http_code}' -H "If-None-Match: $tag" "$address")"
  same "If-Match, another" 412 "$(http -o /dev/null -w '%{http_code}' -H 'If-Match: "another"' "$address")"
  same "If-Modified-Since" 304 "$(http -o /dev/null -w '%{http_code}' -H "If-Modified-Since: $(header_of last-modified)" "$address")"
  same "If-Range, the same" 206 "$(http -o /dev/null -w '%{http_code}' -r 0-9 -H "If-Range: $tag" "$address")"
  same "If-Range, another" 200 "$(http -o /dev/null -w '%{http_code}' -r 0-9 -H 'If-Range: "another"' "$address")"
}

curl_resume() {
  # The first try is cut off in the middle of an article.
  slow_reader 5M
  kill "$reader"
  wait "$reader" || true
  [ "$(stat -c %s "$stage/copy")" -lt "$(stat -c %s "$sources/$big")" ] || because "the first try was not cut off"
  http -f -C - -o "$stage/copy" "$(address_of "$big")"
  same_bytes "$big" "$sources/$big" "$stage/copy"
}

curl_agree() {
  local name size
  same status 207 "$(http -X PROPFIND -H 'Depth: 1' -o "$stage/list" -w '%{http_code}' "$dav/content/$category/$(escaped "$job")/")"
  for name in "$big" "$mp4" "$mkv" "$odd"; do
    size=$(stat -c %s "$sources/$name")
    grep -q "getcontentlength>$size<" "$stage/list" || because "the listing lacks the size of $name"
    same "status of $name" 207 "$(http -X PROPFIND -H 'Depth: 0' -o "$stage/one" -w '%{http_code}' "$(address_of "$name")")"
    grep -q "getcontentlength>$size<" "$stage/one" || because "PROPFIND of $name has another size"
  done
  # Each href of the listing leads to what it names.
  grep -oE 'href>[^<]*' "$stage/list" | sed 's/^href>//; s/&amp;/\&/g' | while read -r href; do
    same "status of $href" 200 "$(http -o /dev/null -w '%{http_code}' "$url$href")"
  done
  same "names in the listing" 5 "$(grep -oE '[a-zA-Z]*:?href>[^<]+' "$stage/list" | wc -l)"
}

curl_locked() {
  same "without credentials" 401 "$(curl -s -o /dev/null -w '%{http_code}' "$(address_of "$odd")")"
  same "with a wrong password" 401 "$(curl -s -o /dev/null -w '%{http_code}' -u "$user:wrong" "$(address_of "$odd")")"
  same "PROPFIND without credentials" 401 "$(curl -s -o /dev/null -w '%{http_code}' -X PROPFIND "$dav/")"
  same "after one refusal" 200 "$(curl -s -o /dev/null -w '%{http_code}' --anyauth -u "$user:$password" "$(address_of "$odd")")"
}

curl_options() {
  curl -sS -i -X OPTIONS "$dav/" | tr -d '\r' >"$stage/head"
  same status 'HTTP/1.1 200 OK' "$(head -n 1 "$stage/head")"
  [ -n "$(header_of dav)" ] || because "there is no DAV header"
  [ -n "$(header_of allow)" ] || because "there is no Allow header"
}

curl_read_only() {
  local links
  links=$dav/completed-symlinks/$category/$(escaped "$job")
  # Somebody has the link now: a library may hold it.
  http -f -o /dev/null "$links/$(escaped "$odd").rclonelink"
  same DELETE 403 "$(http -X DELETE -o /dev/null -w '%{http_code}' "$(address_of "$odd")")"
  same "DELETE of the job" 403 "$(http -X DELETE -o /dev/null -w '%{http_code}' "$dav/content/$category/$(escaped "$job")/")"
  same MKCOL 403 "$(http -X MKCOL -o /dev/null -w '%{http_code}' "$dav/content/$category/new")"
  same PUT 403 "$(http -T "$sources/Second.bin" -o /dev/null -w '%{http_code}' "$(address_of "$odd")")"
  curl_whole "$odd"
}

curl_bad_nzb() {
  echo 'this is no nzb' >"$stage/bad.nzb"
  local status
  status=$(http -T "$stage/bad.nzb" -o "$stage/reason" -w '%{http_code}' "$dav/nzbs/$category/")
  [[ $status == 4* ]] || because "status $status"
  [ -s "$stage/reason" ] || because "no reason was given"
}
