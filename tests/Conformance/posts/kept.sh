# Programs that take long to get, kept between runs. Sourced by run.

# kept_place NAME: where it is kept for this system.
kept_place() {
  local system
  system=$(. /etc/os-release && echo "$ID-$VERSION_ID-$(uname -m)")
  echo "${XDG_CACHE_HOME:-$HOME/.cache}/nzbdav-ci/$system/$1"
}

# keep FOLDER PLACE: a copy that is there whole or not at all.
keep() {
  mkdir -p "$(dirname "$2")"
  cp -a "$1" "$2.$$"
  rm -rf "$2"
  mv "$2.$$" "$2"
}
