# promtool: what Prometheus itself says of the metrics after something was read.
check_promtool() {
  check "OPS-03 promtool: the metrics" promtool_metrics
}

promtool_metrics() {
  command -v promtool >/dev/null || because "promtool is not installed (Debian: prometheus)"
  http -f -o "$stage/copy" "$(address_of "$mp4")"
  http -f -H "X-Api-Key: $(cat "$config/keys/api")" -o "$stage/metrics" "$url/metrics"
  grep -q '^nzbdav_webdav_bytes_total' "$stage/metrics" || because "no bytes were counted"
  promtool check metrics <"$stage/metrics"
}
