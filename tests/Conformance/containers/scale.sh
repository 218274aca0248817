# docker/compose.scale.yml: three gateways, PostgreSQL and nginx, and HAProxy in front of the same gateways. Sourced by .ci/containers.
database_password=letters9

# Debian's programs under the names of the images that the file asks for. What their entrypoints do is written down here.
import_scale_stand_ins() {
  local programs
  programs=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
  mkdir -p "$stage/extra/usr/local/bin"
  # The server refuses root, and wants its user to have a name.
  cat >"$stage/extra/usr/local/bin/run-postgres" <<'SH'
#!/bin/sh
set -e
echo 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' >>/etc/passwd
data=/var/lib/postgresql/data
mkdir -p "$data" /var/run/postgresql
chown -R 999:999 /var/lib/postgresql /var/run/postgresql
as="setpriv --reuid 999 --regid 999 --clear-groups"
if [ ! -e "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  chmod 644 /tmp/password
  # shellcheck disable=SC2086
  $as initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 --auth-local trust $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | $as postgres --single -j -D "$data" postgres >/dev/null
fi
# The compiler of queries is not in the image.
exec $as postgres -D "$data" -c 'listen_addresses=*' -c jit=off
SH
  cat >"$stage/extra/usr/local/bin/run-nginx" <<'SH'
#!/bin/sh
mkdir -p /var/lib/nginx /var/log/nginx /run
echo 'events { } http { access_log off; include /etc/nginx/conf.d/*.conf; }' >/tmp/nginx.conf
echo 'nobody:x:65534:65534::/:/bin/false' >>/etc/passwd
exec nginx -e stderr -c /tmp/nginx.conf -g 'daemon off; user root;'
SH
  chmod 755 "$stage"/extra/usr/local/bin/run-*
  # shellcheck disable=SC2046
  extra=usr/local/bin/run-postgres stand_in "$(scale_image POSTGRES)" "PATH=$programs:/usr/local/bin:/usr/bin:/bin" \
    "$(dirname "$programs")" "/usr/share/postgresql/$(basename "$(dirname "$programs")")" $(libraries_of "$programs"/*) || return
  # shellcheck disable=SC2046
  extra=usr/local/bin/run-nginx stand_in "$(scale_image NGINX)" "HOME=/root" /usr/sbin/nginx $(libraries_of /usr/sbin/nginx) || return
  # shellcheck disable=SC2046
  extra=usr/local/bin/run-nginx stand_in haproxy "HOME=/root" /usr/sbin/haproxy $(libraries_of /usr/sbin/haproxy)
}

# scale_image NAME: what the compose file asks for.
scale_image() {
  sed -nE "s/.*$1_IMAGE:-(.*)\}\$/\1/p" "$root/docker/compose.scale.yml"
}

scaled() {
  compose --project-directory "$stage/clone/docker" -p nzbdav-scale -f "$stage/clone/docker/compose.scale.yml" -f "$stage/scale.yml" "$@"
}

check_scale() {
  local failed_before=$failures
  check "containers: PostgreSQL, nginx and HAProxy" import_scale_stand_ins
  # Without them everything below would only wait.
  [ "$failures" -eq "$failed_before" ] || return
  scale_settings
  check "scale: docker compose up brings three gateways, the database and nginx" scale_up
  # Without them everything below would only wait.
  [ -s "$stage/scale-url" ] || return
  check "scale: what one gateway imports, each of them plays" scale_plays
  check "scale: with any one of them killed, nginx finds the others" scale_outlasts proxy
  check "scale: with any one of them killed, HAProxy finds the others" scale_outlasts haproxy
  check "scale: the database restarts, and everything goes on" scale_outlasts_database
  check "scale: docker compose stop ends all in time" scale_stops
  docker rm -fv haproxy >/dev/null 2>&1
  scaled down -v >/dev/null 2>&1
}

# What a person writes into .env, and what only these checks need.
scale_settings() {
  printf '%s\n' "NZBDAV_PASSWORD='$password'" NZBDAV_USER=$user NZBDAV_PORT=127.0.0.1:0 DATABASE_PASSWORD=$database_password NZBDAV_MEMORY=256m >"$stage/clone/docker/.env"
  {
    echo 'services:'
    local number
    for number in 1 2 3; do
      cat <<YAML
  gateway$number:
    environment:
      NzbDav__Usenet__Providers__0__Host: $gateway_address
      NzbDav__Usenet__Providers__0__Port: "$provider_port"
      NzbDav__Usenet__Providers__0__UseTls: "false"
      NzbDav__Usenet__Providers__0__MaxConnections: "9"
      NzbDav__Torrents__Enabled: "false"
    healthcheck:
      interval: 1s
YAML
    done
    printf '  database:\n    entrypoint: run-postgres\n  proxy:\n    entrypoint: run-nginx\n'
  } >"$stage/scale.yml"
}

# scale_container SERVICE: its container.
scale_container() {
  scaled ps -q "$1"
}

# scale_address CONTAINER: an address that reaches it from here.
scale_address() {
  docker inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' "$1"
}

scale_up() {
  local number
  scaled up -d --no-build
  for number in 1 2 3; do
    until_true 90 health_is "$(scale_container gateway$number)" healthy || because "gateway$number is not healthy: $(scaled logs --tail 3 gateway$number 2>&1 | tail -n 3)"
  done
  until_true 90 scale_serves || because "nginx does not serve: $(why_not_serving "$(scale_container proxy)")"
  echo "$url" >"$stage/scale-url"
}

# Sets url each time: a container that restarted has another port.
scale_serves() {
  url=http://$(docker port "$(scale_container proxy)" 80/tcp | head -n 1)
  serves
}

scale_plays() {
  local number
  url=$(cat "$stage/scale-url")
  put_film movies
  for number in 1 2 3; do
    url=http://$(scale_address "$(scale_container gateway$number)"):8080
    until_true 10 has_film movies || because "gateway$number does not have the film"
    plays movies
  done
}

# scale_outlasts PROXY
scale_outlasts() {
  local number
  if [ "$1" = haproxy ]; then
    docker run -d --name haproxy --network nzbdav-scale_gateways --mount "type=bind,source=$stage/clone/docker/scale,target=/scale,readonly" --entrypoint haproxy haproxy \
      -db -f /scale/haproxy.cfg >/dev/null
    url=http://$(scale_address haproxy)
    until_true 90 serves || because "HAProxy does not serve: $(why_not_serving haproxy)"
  else
    url=$(cat "$stage/scale-url")
  fi
  for number in 1 2 3; do
    docker kill "$(scale_container gateway$number)" >/dev/null
    # nginx starts, too, while one is away.
    if [ "$1$number" = proxy1 ]; then
      scaled restart -t 2 proxy
      until_true 90 scale_serves || because "nginx does not serve: $(why_not_serving "$(scale_container proxy)")"
      echo "$url" >"$stage/scale-url"
    fi
    plays movies
    put_film "$1$number"
    plays "$1$number"
    scaled start gateway$number
    until_true 60 health_is "$(scale_container gateway$number)" healthy || because "gateway$number does not come back"
  done
}

scale_outlasts_database() {
  url=$(cat "$stage/scale-url")
  scaled restart database
  until_true 60 health_is "$(scale_container database)" healthy
  put_film after
  plays after
}

scale_stops() {
  local service
  scaled stop
  for service in gateway1 gateway2 gateway3 database; do
    same "exit code of $service" 0 "$(docker inspect -f '{{.State.ExitCode}}' "$(scaled ps -a -q "$service")")"
  done
}
