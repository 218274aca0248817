# What the image for arm64 holds, built on this processor, and run on an emulated one. Sourced by .ci/containers.
check_arm() {
  check "arm64: builds" build_for_arm
  check "arm64: the code is compiled for it" compiled_for nzbdav-arm64 aarch64 /image/app
  check "arm64: SQLite's library is the one for it" native_machine nzbdav-arm64 aarch64 /image/app
  if ! command -v qemu-aarch64-static >/dev/null; then
    cannot "arm64: the image's program plays the demo" arm64 "qemu-user-static cannot be installed"
  else
    check "arm64: the runtime can be had" arm_runtime
    check "arm64: the image's program plays the demo" arm_plays
  fi
}

# All but the last stage, which is made of the base image for arm64: no registry is asked for it.
build_for_arm() {
  build_clone -t nzbdav-arm64 --target build --build-arg TARGETARCH=arm64 --build-arg REVISION="$revision"
}

# Debian's libraries and the runtime for arm64; what starts an nzbdav.dll there is made of an empty program of that name.
arm_runtime() {
  local base package folder name
  base=$(arm_root)
  if [ ! -d "$base" ]; then
    debootstrap --foreign --arch=arm64 --variant=minbase --include="$(ssl_of_machine),libstdc++6,zlib1g" "$(release_of_machine)" "$stage/arm" "$(mirror_of_machine)"
    for package in "$stage"/arm/var/cache/apt/archives/*.deb; do
      case ${package##*/} in
        libc6_* | libgcc-s1_* | libssl3* | libstdc++6_* | zlib1g_*) dpkg-deb -x "$package" "$stage/arm" ;;
      esac
    done
    rm -rf "$stage/arm/var" "$stage/arm/usr/share" "$stage/arm/debootstrap"
    keep "$stage/arm" "$base"
  fi
  mkdir "$stage/starter"
  echo 'return;' >"$stage/starter/Program.cs"
  cat >"$stage/starter/nzbdav.csproj" <<'XML'
<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <RuntimeIdentifier>linux-arm64</RuntimeIdentifier>
    <SelfContained>true</SelfContained>
  </PropertyGroup>
</Project>
XML
  dotnet build "$stage/starter" -nodeReuse:false -nologo -v quiet -o "$stage/starter/out"
  # Of the packages that the build has fetched.
  for package in netcore aspnetcore; do
    folder=$(dotnet nuget locals global-packages --list | sed 's/^[^:]*: *//')/microsoft.$package.app.runtime.linux-arm64
    folder=$(find "$folder" -mindepth 1 -maxdepth 1 | sort -V | tail -n 1)
    name=$([ $package = netcore ] && echo Microsoft.NETCore.App || echo Microsoft.AspNetCore.App)
    mkdir -p "$stage/dotnet/shared/$name/${folder##*/}" "$stage/dotnet/host/fxr/${folder##*/}"
    find "$folder/runtimes/linux-arm64" -type f -exec cp {} "$stage/dotnet/shared/$name/${folder##*/}/" \;
  done
  mv "$stage"/dotnet/shared/Microsoft.NETCore.App/*/libhostfxr.so "$stage"/dotnet/host/fxr/*/
  cp "$stage/starter/out/nzbdav" "$stage/nzbdav-arm64/"
}

arm_root() {
  kept_place arm64-root
}

# On the processor of a Raspberry Pi 4. Without EnableWriteXorExecute=0 QEMU 7.2 runs it wrongly: 12 of 12 starts failed, with a wrong result of a call that is right elsewhere. The
# runtime then writes code through a second mapping of its pages, and the emulator seems to go on with the code that stood there before.
arm_plays() {
  local log=$stage/arm.log pid status=0 address
  DOTNET_EnableWriteXorExecute=0 DOTNET_ROOT=$stage/dotnet TMPDIR=$stage qemu-aarch64-static -cpu cortex-a72 -L "$(arm_root)" "$stage/nzbdav-arm64/nzbdav" --demo --urls http://127.0.0.1:0 >"$log" 2>&1 </dev/null &
  pid=$!
  # shellcheck disable=SC2064
  trap "kill -9 $pid 2>/dev/null || :" EXIT
  until_true 300 arm_stands_or_ended "$pid" "$log" || echo "not ready after twenty minutes"
  if ! grep -q '^Ctrl+C stops it' "$log"; then
    tail -n 40 "$log"
    because "it did not start: $(grep -m 1 Exception "$log" || tail -n 1 "$log")"
  fi
  address=$(sed -nE 's/^ *browser +(http.*\.mp4)$/\1/p' "$log")
  curl -sSf --max-time 60 -o "$own/copy" "$address"
  same_bytes 'NzbDav Demo.mp4' "$root/backend/Host/Demo/Media/NzbDav Demo.mp4" "$own/copy"
  kill "$pid"
  wait "$pid" || status=$?
  trap - EXIT
  # 143: on an emulated processor the stop may take longer than the ten seconds after which the program ends in any case.
  [ $status -eq 143 ] || same "exit code" 0 $status
}

# arm_stands_or_ended PROCESS LOG
arm_stands_or_ended() {
  grep -q '^Ctrl+C stops it' "$2" || ! kill -0 "$1" 2>/dev/null
}
