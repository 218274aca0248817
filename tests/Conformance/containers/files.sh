# The other files of docker/: compose variants, the systemd unit, the Unraid template, samples of proxies. Sourced by .ci/containers.
check_files() {
  check "compose: says what is missing in .env" compose_asks
  check "compose: every variant is valid" compose_valid
  check "systemd: the unit is valid and closed" unit_valid
  check "systemd: the unit serves and stops, under a systemd of its own" unit_serves
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
  ! variant docker-compose.yml >"$own/said" 2>&1 || because "it is valid without a password"
  grep -q 'write NZBDAV_PASSWORD=' "$own/said" || because "it said: $(cat "$own/said")"
}

compose_valid() {
  export NZBDAV_PASSWORD=secret
  variant docker-compose.yml >"$own/said"
  grep -q 'read_only: true' "$own/said"
  variant docker-compose.yml docker/compose.mount.yml >"$own/said"
  grep -q 'apparmor:unconfined' "$own/said"
  variant docker-compose.yml docker/compose.mount.yml docker/compose.arrs.yml >"$own/said"
  variant docker-compose.yml docker/compose.rclone.yml docker/compose.arrs.yml >"$own/said"
  variant docker-compose.yml docker/compose.mount-helper.yml docker/compose.arrs.yml >"$own/said"
  same "services" 'jellyfin mount nzbdav prowlarr radarr sonarr' "$(sed -n '/^services:/,/^[^ s]/s/^  \([a-z]*\):$/\1/p' "$own/said" | sort | xargs)"
  # Traefik itself cannot be had here: its file is only read.
  DOMAIN=films.example.com EMAIL=me@example.com variant docker-compose.yml docker/proxies/traefik.yml >"$own/said"
}

unit_valid() {
  # The program is not where a person puts it.
  sed -E "s#^ExecStart=/usr/bin/dotnet #ExecStart=$(readlink -f "$(command -v dotnet)") #" "$root/docker/nzbdav.service" >"$stage/nzbdav.service"
  systemd-analyze verify "$stage/nzbdav.service" >"$own/said" 2>&1 || because "$(cat "$own/said")"
  same "complaints" '' "$(grep nzbdav "$own/said")"
  # 10 is open, 0 closed.
  systemd-analyze security --no-pager --offline=true --threshold=20 "$stage/nzbdav.service" | tail -n 1
}

# This machine's files, with the program of the image and the unit put in, started by systemd in namespaces of its own. What it writes goes with it.
unit_serves() {
  mkdir -p "$stage"/booted/{upper,work,root}
  report_unit >"$stage/booted/report.service"
  # shellcheck disable=SC2016
  unshare --mount --propagation private sh -ec "$release_others"'
    # What systemd makes of control groups goes at the end as well.
    for groups in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
      [ ! -f "$groups/cgroup.procs" ] || { mkdir -p "$groups$4/unit" && echo $$ >"$groups$4/unit/cgroup.procs"; }
    done
    mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
    mount -t tmpfs tmpfs /run
    cd "$1/root"
    rm -rf etc/systemd/system/*.wants etc/rc?.d/S*
    mkdir -p opt/nzbdav etc/systemd/system/multi-user.target.wants
    cp -r "$3"/. opt/nzbdav/
    cp "$2/nzbdav.service" "$1/report.service" etc/systemd/system/
    ln -s ../nzbdav.service ../report.service -t etc/systemd/system/multi-user.target.wants/
    timeout -k 5 400 systemd-nspawn -q -D . -b --private-network --register=no --keep-unit --console=pipe
  ' sh "$stage/booted" "$stage" "$stage/nzbdav" "$engine_cgroup" >"$stage/booted.log" 2>&1 </dev/null || true
  [ -s "$stage/booted/upper/report" ] || because "it did not start: $(tail -n 3 "$stage/booted.log")"
  cat "$stage/booted/upper/report"
  same "status of /health, result, exit code" '200 success 0' "$(sed -nE 's/^(health|Result|ExecMainStatus)=//p' "$stage/booted/upper/report" | xargs)"
  same "owner of the catalog is root" 0 "$(find "$stage"/booted/upper/var/lib/private/nzbdav -name nzbdav.sqlite -uid 0 | wc -l)"
  same "catalogs" 1 "$(find "$stage"/booted/upper/var/lib/private/nzbdav -name nzbdav.sqlite | wc -l)"
}

# The unit's companion: asks it, stops it, writes down what came of it, and ends the machine.
report_unit() {
  cat <<'UNIT'
[Unit]
After=nzbdav.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'for i in $(seq 300); do curl -sf -o /dev/null http://127.0.0.1:8080/health && break; sleep 0.2; done; \
  curl -s -o /dev/null -w "health=%%{http_code}\n" http://127.0.0.1:8080/health >/report; \
  systemctl stop nzbdav; systemctl show nzbdav -p Result -p ExecMainStatus >>/report; journalctl -u nzbdav --no-pager -n 20 >>/report; systemctl poweroff --no-block'
UNIT
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
