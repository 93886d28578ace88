# shellcheck shell=bash
# Sourced by script/bench: the receiver to compare with. Wants what servers.sh
# and postgres.sh have; sets $express_port.

install_express() {
  local lock=bench/express/package-lock.json installed=bench/express/node_modules/.installed
  cmp -s "$lock" "$installed" && return
  (cd bench/express && npm ci --no-audit --no-fund)
  cp "$lock" "$installed"
}

express_accepts() { accepts "$express_port"; }

# start_express DSN
start_express() {
  install_express >&2
  run_sql_file "$1" bench/express/schema.sql
  express_port=$(free_port)
  start express express_accepts env NODE_ENV=production PORT="$express_port" \
    DATABASE_URL="$1" WEBHOOK_SECRET="$(cut -d" " -f2 "$secret")" node bench/express/server.js
}
