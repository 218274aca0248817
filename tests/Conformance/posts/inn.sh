# INN, a news server of Debian, as a private instance: its programs, settings, spool and sockets lie in the stage's folder. Sourced by run.
# Its package is unpacked and not installed: installing it starts a server, brings a mail server along, and fails where the machine has no full name.

# inn_unpacked: INN and all of what it needs that is missing here, below $stage/inn; from the cache if an earlier run put it there.
inn_unpacked() {
  local kept
  kept=$(kept_place inn)
  if [ -x "$kept/usr/lib/news/bin/innd" ]; then
    cp -a "$kept" "$stage/inn"
  else
    inn_fetched
    keep "$stage/inn" "$kept"
  fi
}

# Needs no rights, and package lists only of its own.
inn_fetched() {
  local packages=$stage/inn/packages lists=$stage/inn/lists package
  mkdir -p "$packages/partial" "$lists/partial"
  local apt=(apt-get -y --no-install-recommends --download-only -o "Dir::Cache::archives=$packages" -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
  if ! "${apt[@]}" install inn2; then
    apt+=(-o "Dir::State::Lists=$lists" -o "Dir::Cache::pkgcache=" -o "Dir::Cache::srcpkgcache=")
    "${apt[@]}" update
    "${apt[@]}" install inn2
  fi
  for package in "$packages"/*.deb; do
    dpkg-deb -x "$package" "$stage/inn"
  done
  rm -r "$packages" "$lists"
  [ -x "$stage/inn/usr/lib/news/bin/innd" ] || because "the package inn2 holds no innd"
}

# inn_configured: empty groups, an empty history; whoever connects may read and post.
inn_configured() {
  local inn=$stage/inn place=$stage/news group
  mkdir -p "$place"/{etc,filter,db,run,log/OLD,tmp,http,spool/{articles,overview,incoming/bad,outgoing,archive}}
  cat >"$place/etc/inn.conf" <<END
runasuser: $inn_user
runasgroup: $inn_group
domain: news.invalid
pathhost: news.invalid
mta: "/bin/true %s"
organization: none
bindaddress: 127.0.0.1
port: $inn_port
hismethod: hisv6
enableoverview: true
ovmethod: tradindexed
wireformat: true
maxartsize: 0
localmaxartsize: 0
maxconnections: 100
nnrpdloadlimit: 0
pathnews: $inn/usr/lib/news
pathbin: $inn/usr/lib/news/bin
patharchive: $place/spool/archive
patharticles: $place/spool/articles
pathcontrol: $inn/usr/lib/news/bin/control
pathdb: $place/db
pathetc: $place/etc
pathfilter: $place/filter
pathhttp: $place/http
pathincoming: $place/spool/incoming
pathlog: $place/log
pathoutgoing: $place/spool/outgoing
pathoverview: $place/spool/overview
pathrun: $place/run
pathspool: $place/spool
pathtmp: $place/tmp
END
  # Nobody is a peer: each connection is handed to a reader's process.
  echo 'streaming: false' >"$place/etc/incoming.conf"
  echo 'ME:!*::' >"$place/etc/newsfeeds"
  printf 'method tradspool {\n newsgroups: *\n class: 0\n}\n' >"$place/etc/storage.conf"
  printf '/remember/:11\n*:A:1:90:never\n' >"$place/etc/expire.ctl"
  cat >"$place/etc/readers.conf" <<END
auth here {
  hosts: 127.0.0.1
  default: "<here>"
}
access here {
  users: "<here>"
  newsgroups: *
  access: RPA
  addcanlockuser: none
}
END
  for group in control control.cancel control.checkgroups control.newgroup control.rmgroup junk; do
    echo "$group 0000000000 0000000001 n"
  done >"$place/db/active"
  echo "$inn_newsgroup 0000000000 0000000001 y" >>"$place/db/active"
  : >"$place/db/newsgroups"
  : >"$place/db/active.times"
  : >"$place/db/history"
  if [ "$(id -u)" -eq 0 ]; then
    chown -R "$inn_user:$inn_group" "$place"
    chmod 711 "$stage"
  fi
  (cd "$place/db" && as_news makedbz -i -o -s 100000)
}

# as_news PROGRAM OPTION…: one of INN's, in its place.
as_news() {
  local inn=$stage/inn program=$1 libraries
  libraries=$(find "$inn/usr/lib" "$inn/lib" -name '*.so.*' -printf '%h\n' 2>/dev/null | sort -u | paste -sd:)
  shift
  local command=(env INNCONF="$stage/news/etc/inn.conf" LD_LIBRARY_PATH="$libraries" PERL5LIB="$inn/usr/share/perl5" "$inn/usr/lib/news/bin/$program" "$@")
  # innd runs as the user that it is told and no other.
  if [ "$(id -u)" -eq 0 ]; then
    command=(setpriv --reuid="$inn_user" --regid="$inn_group" --clear-groups "${command[@]}")
  fi
  exec "${command[@]}"
}

# inn_up: sets inn_port.
inn_up() {
  inn_newsgroup=alt.binaries.test
  inn_user=news
  inn_group=news
  if [ "$(id -u)" -ne 0 ]; then
    inn_user=$(id -un)
    inn_group=$(id -gn)
  fi
  inn_port=$(free_port)
  (set -e; inn_unpacked && inn_configured) >"$stage/inn.log" 2>&1 </dev/null || no_stage "INN cannot be set up" "$stage/inn.log"
  (as_news innd -f) >"$stage/innd.log" 2>&1 </dev/null &
  inn_process=$!
  processes+=("$inn_process")
  until_true 60 inn_greets || no_stage "INN does not answer" "$stage/innd.log"
}

# innd notices a SIGTERM when next somebody connects.
inn_down() {
  [ -z "${inn_process:-}" ] || gone "$inn_process" || (as_news ctlinnd -t 10 shutdown "The checks are over") >"$stage/innd.log" 2>&1 </dev/null
}

inn_greets() {
  local greeting
  exec 4<>"/dev/tcp/127.0.0.1/$inn_port" || return
  read -r -t 10 greeting <&4
  exec 4<&-
  [[ $greeting == 200* ]]
} 2>/dev/null

# A port that nobody listens on, below those that the kernel gives away.
free_port() {
  local port
  while port=$((20000 + RANDOM % 12000)); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}
