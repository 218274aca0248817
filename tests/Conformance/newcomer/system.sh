# The new user's Debian: the base that .ci/containers keeps, what the documents name, and this machine's SDK and Node. Sourced by .ci/new-user.
system=
# The programs of the documents' blocks, and what Debian's packages of .NET bring along.
named_packages=(curl mpv rclone fuse3 sudo '^libicu[0-9]+$' libgssapi-krb5-2)

make_system() {
  local tools
  make_base && make_extra || return
  tools=$(kept_place "new-user-$(cksum <<<"${named_packages[*]}" | cut -d ' ' -f 1)")
  system=$stage/system
  mkdir -p "$system" "$stage/tools" "$stage/upper" "$stage/work"
  if [ ! -d "$tools" ]; then
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$stage/tools,workdir=$stage/work" "$system" || return
    mount_machine && install_named || return
    umount -R "$system" || return
    # Overlays mark what they hide by attributes of files.
    keep "$stage/tools" "$tools"
  fi
  mount -t overlay overlay -o "lowerdir=$tools:$base,upperdir=$stage/upper,workdir=$stage/work" "$system" && mount_machine && mount_tools || return
  # As every machine and container has it; fusermount wants it.
  ln -sf /proc/self/mounts "$system/etc/mtab"
}

mount_machine() {
  local place
  for place in dev sys; do
    mount --rbind "/$place" "$system/$place" || return
  done
  mount -t proc proc "$system/proc" && cp /etc/resolv.conf "$system/etc/resolv.conf"
}

# As root, in the Debian.
install_named() {
  printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d"
  chmod 755 "$system/usr/sbin/policy-rc.d"
  printf '127.0.0.1 localhost HOST\n' >"$system/etc/hosts"
  DEBIAN_FRONTEND=noninteractive chroot "$system" apt-get update &&
    DEBIAN_FRONTEND=noninteractive chroot "$system" apt-get install -y --no-install-recommends "${named_packages[@]}" || return
  chroot "$system" useradd --create-home --uid 1000 --shell /bin/bash anna
  echo 'anna ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/anna"
  rm -rf "$system"/var/cache/apt/* "$system"/var/lib/apt/lists/*
}

# The SDK and Node, which the README asks for, and the settings with which this machine fetches packages.
mount_tools() {
  local dotnet node npm library
  dotnet=$(dirname "$(readlink -f "$(command -v dotnet)")")
  node=$(readlink -f "$(command -v node)")
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  mount_folder "$dotnet" && mount_folder "$npm" || return
  for library in /usr/share/nodejs /usr/share/node_modules; do
    [ ! -d "$library" ] || mount_folder "$library" || return
  done
  # shellcheck disable=SC2046
  tar -c -C / "${node#/}" $(libraries_of "$node" | sed 's|^/||') | tar -x -C "$system" || return
  ln -sf "$dotnet/dotnet" "$system/usr/local/bin/dotnet"
  ln -sf "$node" "$system/usr/local/bin/node"
  ln -sf "$npm/bin/npm-cli.js" "$system/usr/local/bin/npm"
  cp "$stage/extra/opt/certificates.crt" "$system/opt/"
  cp -r "$stage/extra/$image_home/." "$system/home/anna/"
  # A screen and speakers, which play at once.
  mkdir -p "$system/home/anna/.config/mpv" "$system/home/anna/bin"
  printf 'vo=null\nao=null\nuntimed=yes\n' >"$system/home/anna/.config/mpv/mpv.conf"
  # What docs/getting-started.md says "nzbdav" stands for.
  printf '#!/bin/sh\nexec dotnet run --project backend -- "$@"\n' >"$system/home/anna/bin/nzbdav"
  chmod 755 "$system/home/anna/bin/nzbdav"
  chown -R 1000:1000 "$system/home/anna"
}

# mount_folder FOLDER: of the machine, at its own place, to be read only.
mount_folder() {
  mkdir -p "$system$1" && mount --bind "$1" "$system$1" && mount -o remount,bind,ro "$system$1"
}

clone_for_user() {
  make_clone && cp -a "$stage/clone" "$system/home/anna/NzbDav" && chown -R 1000:1000 "$system/home/anna/NzbDav" "$stage/clone"
}

# as_user COMMAND…: as the new user, in the clone, without what this machine's environment holds but the way to the registries.
as_user() {
  local name variables=()
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || variables+=("$name=${!name}")
  done
  # shellcheck disable=SC2016
  chroot --userspec=1000:1000 --groups=1000 "$system" /usr/bin/env -i HOME=/home/anna USER=anna LANG=C.UTF-8 PATH=/home/anna/bin:/usr/local/bin:/usr/bin:/bin "${variables[@]}" \
    SSL_CERT_FILE=/opt/certificates.crt NODE_EXTRA_CA_CERTS=/opt/certificates.crt NPM_CONFIG_CAFILE=/opt/certificates.crt NUGET_CERT_REVOCATION_MODE=offline \
    DOTNET_CLI_TELEMETRY_OPTOUT=1 /bin/bash -c 'cd ~/NzbDav && exec "$@"' bash "$@"
}
