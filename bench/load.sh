# shellcheck shell=bash
# Sourced by script/bench: loads a server and makes a line of it. Wants $build,
# $work, $secret and $duration; sets $failed.

run_load() {
  local seconds=$1 url=http://127.0.0.1:$2
  shift 2
  "$build/webhook-load" --url "$url" --provider github --secret-file "$secret" \
    --providers "$root/providers" --corpus "$work/corpus" --connections 64 \
    --duration "$seconds" "$@"
}

# load NAME PORT/PATH OPTIONS...: appends one run to NAME.runs.
load() {
  local name=$1
  shift
  run_load "$duration" "$@" >>"$work/$name.runs"
}

# Connections are made, caches filled and code compiled as in a server that has
# been up for a while.
warm_up() { run_load 2 "$1" --closed >/dev/null; }

# summarize CASE STORE NAME [--peer PEER NAME] [--wal NAME]
summarize() { (cd "$work" && python3 "$root/bench/summary.py" "$@") || failed=1; }
