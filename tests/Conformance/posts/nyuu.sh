# nyuu, a poster that shares nothing with this project: from npm, with its native yEnc encoder built here. Sourced by run.
nyuu_version=0.4.0

# Everything that npm writes lies in the stage's folder; an earlier run's is taken from the cache.
nyuu_installed() {
  local node kept
  kept=$(kept_place "nyuu-$nyuu_version-node-$(node --version)")
  if nyuu_built "$kept"; then
    cp -a "$kept/." "$stage/nyuu"
    return
  fi
  node=$(readlink -f "$(command -v node)")
  # The encoder is built against the headers that came with node, not against ones from elsewhere.
  env HOME="$stage/home" npm_config_cache="$stage/home/npm" npm_config_nodedir="${node%/bin/*}" npm_config_update_notifier=false \
    npm install --no-audit --no-fund --no-save --prefix "$stage/nyuu" "nyuu@$nyuu_version"
  nyuu_built "$stage/nyuu" || because "the yEnc encoder was not built"
  keep "$stage/nyuu" "$kept"
}

nyuu_built() {
  [ -f "$1/node_modules/yencode/build/Release/yencode.node" ]
}

nyuu_up() {
  mkdir -p "$stage/home" "$stage/nyuu"
  (set -e; nyuu_installed) >"$stage/nyuu.log" 2>&1 </dev/null || no_stage "nyuu cannot be installed" "$stage/nyuu.log"
}

# nyuu NZB FILE…: posts the files; options in nyuu_options.
nyuu() {
  local nzb=$1
  shift
  # The default chunk size is more than version 0.4.0 sends to the end.
  limited 120 env HOME="$stage/home" "$stage/nyuu/node_modules/.bin/nyuu" --host 127.0.0.1 --port "$inn_port" --connections 4 --post-chunk-size 0 \
    --article-size 200K --groups "$inn_newsgroup" --from 'Poster <poster@news.invalid>' --log-level 2 "${nyuu_options[@]}" --out "$nzb" "$@"
}
