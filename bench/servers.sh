# shellcheck shell=bash
# Sourced by script/bench: NGINX and what stands behind it, in folders of their
# own, on loopback. Wants $root, $build and fail(); sets $work, $data, $port and
# $secret.

work=$(mktemp -d)
# Not in $work, which may be held in memory: what is committed must reach a disk.
data=$(mktemp -d "$build/bench.XXXXXX")
chmod 711 "$data" # a server of another user has its folder in there
secret=$work/secret
(umask 077 && echo "v1 $(head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n')" >"$secret")
link=$work/link.sock
pids=()

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Ends what was started last first; a process that does not end is killed.
stop_servers() {
  local i tries pid
  for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
    pid=${pids[i]} tries=0
    kill -TERM "$pid" 2>/dev/null || continue
    while kill -0 "$pid" 2>/dev/null && ((tries++ < 300)); do sleep 0.1; done
    kill -KILL "$pid" 2>/dev/null || true
  done
  pids=()
}

clean_up() {
  stop_servers
  rm -rf "$work" "$data"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# start NAME CONDITION COMMAND...: returns when the condition holds.
start() {
  local name=$1 condition=$2 tries=0
  shift 2
  "$@" </dev/null >"$work/$name.log" 2>&1 &
  pids+=($!)
  until "$condition"; do
    if ! kill -0 "${pids[-1]}" 2>/dev/null || ((tries++ > 300)); then
      tail -n 5 "$work/$name.log" >&2
      fail "$name did not start"
    fi
    sleep 0.1
  done
}

accepts() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
link_is_there() { [ -S "$link" ]; }
nginx_accepts() { accepts "$port"; }

start_sink() { start webhook-sink link_is_there "$build/webhook-sink" "$link"; }

# start_processor DSN: on an empty store.
start_processor() {
  cat >"$work/processor.toml" <<END
[link]
socket = "$link"
[store]
dsn = "$1"
[keys]
file = "$data/keys"
[admin]
socket = "$work/admin.sock"
[log]
level = "warning"
END
  "$build/webhook-processor" --config "$work/processor.toml" --migrate >/dev/null
  start webhook-processor link_is_there \
    "$build/webhook-processor" --config "$work/processor.toml"
}

write_nginx_config() {
  local kind user=""
  [ "$(id -u)" != 0 ] || user="user root;"
  cat >"$work/nginx.conf" <<END
daemon off;
worker_processes 1;
$user
load_module $build/ngx_http_webhook_module.so;
pid $work/nginx.pid;
error_log $work/error.log warn;
events {
    worker_connections 1024;
}
http {
$(for kind in client_body proxy fastcgi uwsgi scgi; do echo "    ${kind}_temp_path $work/$kind;"; done)
    access_log off;
    keepalive_requests 1000000000;
    include $root/providers/*.conf;
    server {
        listen 127.0.0.1:$port backlog=1024;
        location = /webhooks/github {
            webhook github;
            webhook_endpoint github;
            webhook_pass unix:$link;
            webhook_secret_file $secret;
            webhook_require_https off;
        }
        location = /peer {
            return 204;
        }
    }
}
END
}

start_nginx() {
  local nginx
  nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || fail "nginx is not installed; run script/bootstrap"
  port=$(free_port)
  write_nginx_config
  start nginx nginx_accepts "$nginx" -p "$work" -e "$work/error.log" -c "$work/nginx.conf"
}
