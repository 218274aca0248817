# The images that the Dockerfile builds on, which no registry gives us here: Debian with this machine's SDK, runtime and Node, under their names. Sourced by .ci/containers.
path_variable='PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

# base_of ARG: the image that an ARG of the Dockerfile names.
base_of() {
  sed -n "s/^ARG $1=//p" "$root/docker/Dockerfile"
}

release_of_machine() {
  (. /etc/os-release && echo "$VERSION_CODENAME")
}

# OpenSSL's library has another name since the clocks go beyond 2038.
ssl_of_machine() {
  if apt-cache show libssl3t64 >/dev/null 2>&1; then echo libssl3t64; else echo libssl3; fi
}

# Where this machine gets its packages from.
mirror_of_machine() {
  apt-get indextargets --format '$(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' | sed -n "s/^$(release_of_machine) main //p" | head -n 1
}

# A Debian without anything that a container does not need; kept for the next run.
make_base() {
  base=$(kept_place "root")
  [ ! -e "$base/usr/bin/dpkg" ] || return 0
  debootstrap --variant=minbase --include="ca-certificates,tzdata,libstdc++6,$(ssl_of_machine),zlib1g" "$(release_of_machine)" "$stage/base" "$(mirror_of_machine)" || return
  rm -rf "$stage"/base/var/cache/apt/* "$stage"/base/var/lib/apt/lists/* "$stage"/base/usr/share/{doc,man,locale,info}/*
  keep "$stage/base" "$base"
  rm -rf "$stage/base"
}

# stand_in NAME VARIABLES FILE…: an image of the base and these files of the machine. One that the engine has is good if it was made of the same.
stand_in() {
  local name=$1 variables=$2 key
  shift 2
  key=$(parts_of_stand_in "$variables" "$@" | sha256sum | cut -d ' ' -f 1)
  [ "$(docker image inspect -f '{{index .Config.Labels "nzbdav.stand-in"}}' "$name" 2>/dev/null)" != "$key" ] || return 0
  tar -c -C "$base" . -C "$stage/extra" $extra -C / "${@#/}" |
    docker import --change "ENV $path_variable $variables" --change "LABEL nzbdav.stand-in=$key" - "$name"
}

# parts_of_stand_in VARIABLES FILE…: the machine's files by their names, sizes and times; what is made here by its content.
parts_of_stand_in() {
  echo "$1"
  find "$base" "${@:2}" -printf '%p %s %T@ %m %l\n'
  (cd "$stage/extra" && find $extra -printf '%p %m %l\n' && find $extra -type f -exec sha256sum {} +)
}

# libraries_of FILE…: the shared libraries of programs that the base lacks.
libraries_of() {
  ldd "$@" 2>/dev/null | sed -nE 's/.*=> (\/[^ ]+) .*/\1/p' | sort -u | while read -r library; do
    [ -e "$base$library" ] || [ -e "$base$(readlink -f "$library")" ] || printf '%s\n' "$library" "$(readlink -f "$library")"
  done | sort -u
}

# Whose settings an image reads while it is built.
image_home=root

# Certificates and settings with which packages are fetched here: the environment's, the user's.
make_extra() {
  extra=opt/certificates.crt
  mkdir -p "$stage/extra/opt" "$stage/extra/$image_home/.nuget"
  cp "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}" "$stage/extra/opt/certificates.crt"
  if [ -f ~/.npmrc ]; then
    cp ~/.npmrc "$stage/extra/$image_home/" && extra+=" $image_home/.npmrc"
  fi
  if [ -d ~/.nuget/NuGet ]; then
    cp -r ~/.nuget/NuGet "$stage/extra/$image_home/.nuget/" && extra+=" $image_home/.nuget/NuGet"
  fi
}

import_stand_ins() {
  local dotnet node npm
  make_base && make_extra || return
  dotnet=$(dirname "$(readlink -f "$(command -v dotnet)")")
  node=$(command -v node)
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  mkdir -p "$stage/extra/usr/bin"
  ln -s "$dotnet/dotnet" "$stage/extra/usr/bin/dotnet"
  ln -s "$npm/bin/npm-cli.js" "$stage/extra/usr/bin/npm"
  ln -s "$node" "$stage/extra/usr/bin/node"
  local usual=$extra
  # What the images of the same name say of themselves.
  extra=usr/bin/dotnet
  stand_in "$(base_of RUNTIME)" "APP_UID=1654 ASPNETCORE_HTTP_PORTS=8080 DOTNET_RUNNING_IN_CONTAINER=true" "$dotnet/dotnet" "$dotnet/host" "$dotnet/shared" || return
  extra="$usual usr/bin/dotnet"
  stand_in "$(base_of SDK)" "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 NUGET_CERT_REVOCATION_MODE=offline SSL_CERT_FILE=/opt/certificates.crt DOTNET_NOLOGO=1 DOTNET_CLI_TELEMETRY_OPTOUT=1" \
    "$dotnet" || return
  extra="$usual usr/bin/npm"
  [ "$node" = /usr/bin/node ] || extra+=" usr/bin/node"
  local shared=() folder
  for folder in /usr/share/nodejs /usr/share/node_modules /usr/etc/npmrc; do
    [ ! -e "$folder" ] || shared+=("$folder")
  done
  # shellcheck disable=SC2046
  stand_in "$(base_of NODE)" "NODE_EXTRA_CA_CERTS=/opt/certificates.crt NPM_CONFIG_CAFILE=/opt/certificates.crt" \
    "$(readlink -f "$node")" "$npm" "${shared[@]}" $(libraries_of "$(readlink -f "$node")") || return
  # shellcheck disable=SC2046
  extra=opt/certificates.crt stand_in "$(sed -nE 's/.*RCLONE_IMAGE:-(.*)\}$/\1/p' "$root/docker/compose.rclone.yml")" "HOME=/root" \
    /usr/bin/rclone /bin/fusermount /bin/fusermount3 $(libraries_of /usr/bin/rclone /bin/fusermount3)
}

# What git has, and what is not committed yet.
make_clone() {
  git clone --quiet --no-hardlinks "$root" "$stage/clone" &&
    { git -C "$root" diff --quiet HEAD || git -C "$root" diff --binary HEAD | git -C "$stage/clone" apply; } &&
    git -C "$root" ls-files --others --exclude-standard -z | tar -C "$root" -c --null -T - | tar -C "$stage/clone" -x
}

# build_clone OPTION…
build_clone() {
  docker build --network host -f "$stage/clone/docker/Dockerfile" "$@" "$stage/clone"
}

build_image() {
  revision=$(git -C "$root" rev-parse HEAD)
  # These names hold the layers that the next run need not make again, as long as they come from the same.
  build_clone -t kept-page --target page && build_clone -t kept-packages --target restored &&
    build_clone -t nzbdav --build-arg VERSION="$(version_of_tree)" --build-arg REVISION="$revision" && files_of nzbdav /app
}

# The one place that says it.
version_of_tree() {
  sed -nE 's|.*<Version>(.*)</Version>.*|\1|p' "$root/Directory.Build.props"
}

check_image() {
  check "image: says its version and commit" same version "$(version_of_tree)+$revision" "$(docker run --rm nzbdav --version 2>/dev/null)"
  check "image: labels name version and commit" same labels "$(version_of_tree) $revision" \
    "$(docker inspect -f '{{index .Config.Labels "org.opencontainers.image.version"}} {{index .Config.Labels "org.opencontainers.image.revision"}}' nzbdav)"
  check "image: the sources of a change do not restore again" restore_is_cached
  check "image: has the page, and nothing for other platforms" image_content
  check "image: the code is compiled for its processor" compiled_for nzbdav "$(uname -m)"
}

# Only the sources change: all up to the restore comes from the cache.
restore_is_cached() {
  echo '// changed' >>"$stage/clone/backend/Host/Program.cs"
  # The stages after the restore are another matter.
  build_clone --target restored >"$stage/again.log" 2>&1
  git -C "$stage/clone" checkout --quiet backend/Host/Program.cs
  same "uncached steps after the restore began" 'Using cache' "$(sed -n '/RUN dotnet restore/{n;s/^ *---> //p}' "$stage/again.log")"
}

image_content() {
  docker run --rm --entrypoint sh nzbdav -c 'cd /app && ls -d page/index.html demo/*.mp4 *.so && find . -name "*.xml"' 2>/dev/null |
    LC_ALL=C sort >"$own/content"
  printf '%s\n' 'demo/NzbDav Demo.mp4' libe_sqlite3.so page/index.html | diff - "$own/content" && native_machine nzbdav "$(uname -m)"
}

# files_of IMAGE FOLDER: what a folder of an image holds, as files below $stage/IMAGE.
files_of() {
  [ -d "$stage/$1" ] || { docker create --name "files-$1" "$1" true && docker cp "files-$1:$2" "$stage/$1" && docker rm -v "files-$1"; } >/dev/null 2>&1
}

compiled_for() {
  files_of "$1" "${3:-/app}" && python3 "$parts/compiled.py" "$stage/$1" "$2"
}

# The machine of SQLite's library, an ELF file: 62 is x86-64, 183 is AArch64.
native_machine() {
  files_of "$1" "${3:-/app}" && same machine "$([ "$2" = x86_64 ] && echo 62 || echo 183)" "$(od -An -tu2 -j 18 -N 2 "$stage/$1/libe_sqlite3.so" | xargs)"
}
