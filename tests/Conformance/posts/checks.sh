# The posts and what must come of them. Sourced by run.
check_posts() {
  mkdir -p "$sources"
  # openssl says that it fills its keys up.
  seeded 11 7340099 >"$sources/A plain file.bin" 2>"$stage/sources.log"
  seeded 12 15728651 >"$sources/Inside the set.bin" 2>"$stage/sources.log"

  nyuu_options=()
  check_post "plain" "A plain file.bin" plain_files
  check_post "RAR set" "Inside the set.bin" set_files
  # What is posted means nothing by any of its names: file, subject, yEnc. Only the recovery data and the archive say how things are called.
  nyuu_options=(--subject '${rand(40)}' --nzb-subject '${rand(40)}')
  check_post "plain, obfuscated" "A plain file.bin" plain_files scrambled
  check_post "RAR set, obfuscated" "Inside the set.bin" set_files scrambled
}

# check_post NAME FILE MAKE [scrambled]: MAKE turns the source FILE into what is posted, in the current folder.
check_post() {
  local post=$1 file=$2 make=$3 scramble=${4:-}
  local folder="$stage/posted/$post"
  mkdir -p "$folder"
  check "posts: $post: is made" post_made
  check "posts: $post: nyuu posts it" nyuu "$stage/$post.nzb" "$folder"/*
  check "posts: $post: the NZB is taken" put_nzb "$stage/$post.nzb" "$category"
  check "posts: $post: is published" until_true 60 published "content/$category/$(escaped "$post")/$(escaped "$file")"
  check "posts: $post: nothing else is shown" post_alone
  check "posts: $post: the same bytes" post_whole
  check "posts: $post: the same bytes in ranges" post_ranges
}

post_made() {
  cd "$folder"
  "$make" "$sources/$file"
  [ -z "$scramble" ] || scrambled_names
}

plain_files() {
  cp "$1" .
  par2 create -q -q -b200 -r10 -n2 "${1##*/}.par2" "${1##*/}"
}

set_files() {
  limited 60 rar a -m0 -ep -v1500k -idq 'Some Set.rar' "$1"
  [ "$(find . -name '*.rar' | wc -l)" -gt 5 ] || because "rar made no volumes"
  par2 create -q -q -b200 -r10 -n2 'Some Set.par2' ./*.rar
}

scrambled_names() {
  local one
  for one in *; do
    mv "$one" "$(openssl rand -hex 16)"
  done
}

post_address() {
  echo "$dav/content/$category/$(escaped "$post")/$(escaped "$file")"
}

# Recovery data and volumes are not what somebody wants to see.
post_alone() {
  http -f -X PROPFIND -H 'Depth: 1' -o "$stage/listing" "$dav/content/$category/$(escaped "$post")/"
  same "members of the folder" 2 "$(grep -oiE '<([a-z]+:)?href>' "$stage/listing" | wc -l)"
}

post_whole() {
  http -f -o "$stage/copy" "$(post_address)"
  same_bytes "$file" "$sources/$file" "$stage/copy"
}

# Across articles of 200 KiB and volumes of 1500 kB, and at both ends.
post_ranges() {
  local size start
  size=$(stat -c %s "$sources/$file")
  for start in 0 204790 1499000 2999990 $((size / 2)) $((size - 300000)); do
    http -f -r "$start-$((start + 299999))" -o "$stage/part" "$(post_address)"
    bytes_of "$sources/$file" "$start" 300000 | cmp - "$stage/part"
  done
}
