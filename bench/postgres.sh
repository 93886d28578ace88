# shellcheck shell=bash
# Sourced by script/bench: a PostgreSQL server of its own, the same for all that
# write into it. Wants what servers.sh has; sets $postgres, its DSN.

# PostgreSQL's defaults, so fsync, full_page_writes and synchronous_commit are on,
# but for what every operator sets: memory, and room for so much WAL that no
# checkpoint falls into a run.
postgres_settings=(shared_buffers=1GB max_wal_size=4GB)

# No setting of whoever runs this reaches a client.
unset "${!PG@}"
postgres=

run_sql() { psql -XAtq -v ON_ERROR_STOP=1 -d "$1" -c "$2"; }
run_sql_file() { psql -XAtq -v ON_ERROR_STOP=1 -d "$1" -f "$2"; }

postgres_is_ready() { grep -qs '^ready ' "$work/postgres.log"; }

start_postgres() {
  start postgres postgres_is_ready python3 tests/servers/postgres.py \
    "${postgres_settings[@]/#/--set=}" --data "$data/postgres"
  postgres=$(sed -n 's/^ready //p' "$work/postgres.log")
  run_sql "$postgres" 'CREATE EXTENSION pg_walinspect'
}

# make_database NAME: sets $dsn.
make_database() {
  run_sql "$postgres" "CREATE DATABASE $1"
  dsn=${postgres/@\/postgres\?/@/$1?}
}

# Before a run: what the one before left to be written is no part of it.
settle() { [ -z "$postgres" ] || run_sql "$postgres" CHECKPOINT; }

# count_wal NAME COMMAND...: appends what the server logged meanwhile to NAME.runs.
# `wal_fpi_bytes` are images of whole pages, one after a checkpoint for each page
# that is written to.
count_wal() {
  local name=$1 from to
  shift
  from=$(run_sql "$postgres" 'SELECT pg_current_wal_flush_lsn()')
  "$@"
  to=$(run_sql "$postgres" 'SELECT pg_current_wal_flush_lsn()')
  run_sql "$postgres" "
    SELECT json_build_object('wal_bytes', pg_wal_lsn_diff('$to', '$from'),
                             'wal_fpi_bytes', sum(fpi_size))
    FROM pg_get_wal_stats('$from', '$to')" >>"$work/$name.runs"
}
