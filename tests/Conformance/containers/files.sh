# The other files of docker/: compose variants, the systemd unit, the Unraid template, samples of proxies. Sourced by .ci/containers.
check_files() {
  check "compose: says what is missing in .env" compose_asks
  check "compose: every variant is valid" compose_valid
  check "systemd: the unit is valid and closed" unit_valid
  check "unraid: the template is valid, and the image runs with its options" unraid_runs
  check "proxies: docs/reverse-proxy.md says the same" proxies_as_documented
  check "proxies: nginx passes uploads and films on" proxy_passes nginx
  check "proxies: Caddy passes uploads and films on" proxy_passes caddy
  docker rm -fv proxied unraid >/dev/null 2>&1
}

# variant FILE…: of the project without its .env.
variant() {
  local file options=()
  for file in "$@"; do
    options+=(-f "$root/$file")
  done
  compose --project-directory "$stage" "${options[@]}" config
}

compose_asks() {
  ! variant docker-compose.yml >"$stage/said" 2>&1 || because "it is valid without a password"
  grep -q 'write NZBDAV_PASSWORD=' "$stage/said" || because "it said: $(cat "$stage/said")"
}

compose_valid() {
  export NZBDAV_PASSWORD=secret
  variant docker-compose.yml >"$stage/said"
  grep -q 'read_only: true' "$stage/said"
  variant docker-compose.yml docker/compose.mount.yml >"$stage/said"
  variant docker-compose.yml docker/compose.mount.yml docker/compose.arrs.yml >"$stage/said"
  same "services" 'jellyfin mount nzbdav prowlarr radarr sonarr' "$(sed -n '/^services:/,/^[^ s]/s/^  \([a-z]*\):$/\1/p' "$stage/said" | sort | xargs)"
  # Traefik itself cannot be had here: its file is only read.
  DOMAIN=films.example.com EMAIL=me@example.com variant docker-compose.yml docker/proxies/traefik.yml >"$stage/said"
}

unit_valid() {
  # The program is not where a person puts it.
  sed -E "s#^ExecStart=/usr/bin/dotnet #ExecStart=$(readlink -f "$(command -v dotnet)") #" "$root/docker/nzbdav.service" >"$stage/nzbdav.service"
  systemd-analyze verify "$stage/nzbdav.service" >"$stage/said" 2>&1 || because "$(cat "$stage/said")"
  same "complaints" '' "$(grep nzbdav "$stage/said")"
  # 10 is open, 0 closed.
  systemd-analyze security --no-pager --offline=true --threshold=20 "$stage/nzbdav.service" | tail -n 1
}

unraid_runs() {
  local options
  xmllint --noout "$root/docker/unraid.xml"
  options=$(sed -n 's|.*<ExtraParams>\(.*\)</ExtraParams>.*|\1|p' "$root/docker/unraid.xml")
  [ -n "$options" ] || because "the template has no options"
  state unraid
  echo left >"$config/of root"
  # shellcheck disable=SC2086
  start unraid $options "${settings[@]}" "${provider[@]}" -v "$config:/config" -e PUID=99 -e PGID=100 -e UMASK=027
  put_film movies
  plays movies
  same "files of others" '' "$(find "$config" \( ! -uid 99 -o ! -gid 100 \))"
}

# documented LANGUAGE: the first block of that language.
documented() {
  sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$root/docs/reverse-proxy.md" | sed '1d;/^```$/,$d'
}

proxies_as_documented() {
  local label
  diff <(documented nginx) <(sed '/^#/d' "$root/docker/proxies/nginx.conf")
  diff <(documented caddy) <(sed '/^#/d' "$root/docker/proxies/Caddyfile")
  # The labels but for the host's name; the file has more: a certificate.
  documented yaml | sed -n 's/^  traefik/traefik/p' | sed 's/films.example.com/.*/' >"$stage/labels"
  [ -s "$stage/labels" ]
  while read -r label; do
    grep -q "^      ${label//\*/\\*}$" "$root/docker/proxies/traefik.yml" || grep -qE "^      $(sed 's/[()|&]/\\&/g' <<<"$label")$" "$root/docker/proxies/traefik.yml" || because "traefik.yml lacks: $label"
  done <"$stage/labels"
}

# free_port: on loopback, now.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# proxy_passes nginx|caddy
proxy_passes() {
  local port pid
  state "proxied-$1"
  start proxied "${settings[@]}" "${provider[@]}" -v "$config:/config" -e NzbDav__UrlBase=/nzbdav -e NzbDav__Access__TrustedProxies="$gateway_address"
  port=$(free_port)
  "$1_config" "$port" "${url#http://}" >"$stage/$1.conf"
  case $1 in
    nginx) nginx -e "$stage/nginx.log" -p "$stage" -c "$stage/nginx.conf" -g 'daemon off;' >>"$stage/nginx.log" 2>&1 & ;;
    caddy) HOME=$stage caddy run --config "$stage/caddy.conf" --adapter caddyfile >"$stage/caddy.log" 2>&1 & ;;
  esac
  pid=$!
  # shellcheck disable=SC2064
  trap "kill $pid; wait $pid" EXIT
  url=http://127.0.0.1:$port/nzbdav
  until_true 30 serves || because "the proxy does not answer: $(tail -n 3 "$stage/$1.log")"
  put_film movies
  plays movies
  same "bytes of a range" "$(bytes_of "$stage/$film" 30000000 100000 | sha256sum)" "$(http -f -r 30000000-30099999 "$url/dav/content/movies/Some%20Film/Some%20Film.bin" | sha256sum)"
  same "status of a MOVE" 201 "$(http -o /dev/null -w '%{http_code}' -X MOVE -H "Destination: $url/dav/content/movies/Renamed" "$url/dav/content/movies/Some%20Film/")"
}

nginx_config() {
  # Another user than root could not read our folder.
  printf 'user root;\npid %s/nginx.pid;\nevents {}\nhttp {\n  access_log off;\n' "$stage"
  sed -e "s/listen 80;/listen 127.0.0.1:$1;/" -e "s/127.0.0.1:8080/$2/" "$root/docker/proxies/nginx.conf"
  echo '}'
}

caddy_config() {
  printf '{\n\tadmin off\n\tauto_https off\n}\n'
  sed -e "s|^films.example.com {|http://127.0.0.1:$1 {|" -e "s/127.0.0.1:8080/$2/" "$root/docker/proxies/Caddyfile"
}
