# What docs/benchmarks.md says of the image. Printed, never held against it. Sourced by .ci/containers.
show_figures() {
  local size base began ready rest
  size=$(docker image inspect -f '{{.Size}}' nzbdav)
  base=$(docker image inspect -f '{{.Size}}' "$(base_of RUNTIME)")
  state figures 1000:1000
  began=$(date +%s%N)
  start figures "${settings[@]}" -v "$config:/config" 2>/dev/null
  ready=$((($(date +%s%N) - began) / 1000000))
  until_true 60 said figures 'NzbDav serves WebDAV at'
  # The program's own first reads are over.
  sleep 5
  rest=$(docker stats --no-stream --format '{{.MemUsage}}' figures)
  docker rm -fv figures >/dev/null
  echo "-- image: $((size / 1000000)) MB, $(((size - base) / 1000000)) MB of it NzbDav; ready $ready ms after docker run; at rest ${rest% /*}"
}
