# shellcheck shell=bash
# Sourced by script/bench: the server alone, with its own generator. Wants what
# servers.sh has, and $duration.

# A payload as our store has it, compressed and encrypted: nothing repeats.
pgbench_body() {
  printf '\\x'
  head -c 1700 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

# pgbench_for SECONDS DSN OPTIONS...
pgbench_for() {
  local seconds=$1 dsn=$2
  shift 2
  pgbench --no-vacuum --protocol=prepared --client=64 --jobs=2 --time="$seconds" \
    --define=body="$(pgbench_body)" --file=bench/pgbench/accept.sql "$@" "$dsn" \
    >"$work/pgbench.log" 2>&1 || fail "pgbench: $(tail -n 5 "$work/pgbench.log")"
}

# run_pgbench DSN: appends one run to pgbench.runs.
run_pgbench() {
  mkdir "$work/pgbench"
  run_sql_file "$1" bench/express/schema.sql
  pgbench_for 2 "$1"
  settle
  pgbench_for "$duration" "$1" --log --log-prefix="$work/pgbench/log"
  python3 bench/pgbench/latency.py 1700 "$work"/pgbench/log.* >>"$work/pgbench.runs"
  rm -r "$work/pgbench"
}
