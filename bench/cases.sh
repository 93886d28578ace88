# shellcheck shell=bash
# Sourced by script/bench: what each case starts and measures. Where two are
# compared they run in turn, so that what else the machine does falls on both.

in_turn() {
  local round
  for ((round = 0; round < rounds; round++)); do "$@"; done
}

# start_receiver sqlite|postgres: ours, on an empty store.
start_receiver() {
  case "$1" in
    sqlite) start_processor "sqlite:$data/webhook.db" ;;
    postgres)
      start_postgres
      make_database webhook
      start_processor "$dsn"
      ;;
  esac
  start_nginx
  warm_up "$port/webhooks/github"
}

measure_edge() {
  start_sink
  start_nginx
  in_turn edge_round
  summarize edge "$1" github --peer "return 204" peer
}
edge_round() {
  load peer "$port/peer" --closed
  load github "$port/webhooks/github" --closed
}

measure_store() {
  start_receiver "$1"
  "measure_store_on_$1"
}

measure_store_on_sqlite() {
  load github "$port/webhooks/github" --closed
  summarize store sqlite github
}

measure_store_on_postgres() {
  make_database express
  start_express "$dsn"
  warm_up "$express_port/webhooks/github"
  in_turn express_round
  summarize store postgres github --peer express express --wal wal
  summarize express postgres express
}
express_round() {
  settle
  load express "$express_port/webhooks/github" --closed
  settle
  count_wal wal load github "$port/webhooks/github" --closed
}

measure_store_at_2000() {
  start_receiver "$1"
  settle
  load github "$port/webhooks/github" --rate 2000
  summarize store_at_2000 "$1" github
}

measure_duplicates() {
  start_receiver "$1"
  in_turn duplicates_round
  summarize duplicates "$1" duplicates --peer unique unique
}
duplicates_round() {
  settle
  load unique "$port/webhooks/github" --closed
  settle
  load duplicates "$port/webhooks/github" --closed --duplicates 0.5
}

measure_pgbench() {
  start_postgres
  make_database pgbench
  run_pgbench "$dsn"
  summarize pgbench "$1" pgbench
}
