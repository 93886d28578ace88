"""NGINX with the module, in a folder of its own."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

from .daemon import Daemon
from .ports import accepts, free_port
from .settings import MODULE, NGINX, PROVIDERS, SLOWNESS, nginx_environment
from .waiting import wait_until

TEMP_KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
# A request that a test wants to find in the access log has this header.
TAG = "X-Test-Tag"
LOG_FIELDS = {
    "tag": "$http_x_test_tag",
    "status": "$status",
    "uri": "$uri",
    "decision": "$webhook_decision",
    "reason": "$webhook_reason",
    "event_id": "$webhook_event_id",
    "event_type": "$webhook_event_type",
    "inbox_id": "$webhook_inbox_id",
    "tenant": "$webhook_tenant",
    "secret_version": "$webhook_secret_version",
    "clock_skew": "$webhook_clock_skew",
    "processor_time": "$webhook_processor_time",
    "request_id": "$request_id",
}


class Nginx:
    def __init__(self, root: Path, locations: str, http: str = ""):
        self.root = root
        self.port = free_port()
        self.h2_port = free_port()
        self.error_log = root / "error.log"
        self.access_log = root / "access.log"
        self.temp = root / "temp"
        self.temp.mkdir()
        self.daemon: Daemon | None = None
        self.configure(locations, http)

    def configure(self, locations: str, http: str = "") -> None:
        (self.root / "nginx.conf").write_text(self.config(locations, http))

    def config(self, locations: str, http: str) -> str:
        user = "user root;" if os.geteuid() == 0 else ""
        temp_paths = "\n    ".join(
            f"{kind}_temp_path {self.temp / kind};" for kind in TEMP_KINDS
        )
        log_format = json.dumps(LOG_FIELDS)
        return f"""
daemon off;
worker_processes 2;
worker_rlimit_nofile 8192;
{user}
load_module {MODULE};
pid {self.root}/nginx.pid;
error_log {self.error_log} info;
events {{
    worker_connections 4096;
}}
http {{
    {temp_paths}
    log_format webhook escape=json '{log_format}';
    access_log {self.access_log} webhook;
    keepalive_requests 100000;
    include {PROVIDERS}/*.conf;
    {http}
    server {{
        listen 127.0.0.1:{self.port} backlog=2048;
        listen 127.0.0.1:{self.h2_port} http2;
        {locations}
    }}
}}
"""

    def command(self, *arguments: str) -> list[str]:
        return [NGINX, "-p", str(self.root), "-e", str(self.error_log),
                "-c", str(self.root / "nginx.conf"), *arguments]

    def test(self) -> subprocess.CompletedProcess:
        """`nginx -t`: its exit code, and what it says, in `stderr`."""
        return subprocess.run(
            self.command("-t"), env=nginx_environment(), capture_output=True, text=True, timeout=60
        )

    def start(self) -> None:
        self.daemon = Daemon(self.command(), nginx_environment(), self.root / "nginx.out", "nginx")
        self.daemon.wait_ready(
            lambda: accepts(("127.0.0.1", self.port)) and accepts(("127.0.0.1", self.h2_port))
        )

    def stop(self) -> int:
        return self.daemon.stop(signal.SIGQUIT)

    def reload(self) -> None:
        """Returns when new workers serve and the old ones have left."""
        # The port is open before the first workers are there.
        old = wait_until(lambda: len(now := self.workers()) == 2 and now, "two workers", 30)
        self.daemon.send(signal.SIGHUP)
        wait_until(
            lambda: not old & (now := self.workers()) and len(now) == 2,
            "the old workers to leave and two new ones to serve",
            30 * SLOWNESS,
        )

    def workers(self) -> set[int]:
        children = Path(f"/proc/{self.daemon.pid}/task/{self.daemon.pid}/children").read_text()
        return {int(pid) for pid in children.split()}

    def temp_files(self) -> list[Path]:
        return [path for path in self.temp.rglob("*") if not path.is_dir()]

    def logged(self, tag: str) -> list[dict]:
        """The access log's entries of requests with that tag, oldest first."""
        if not self.access_log.exists():
            return []
        entries = (json.loads(line) for line in self.access_log.read_text().splitlines())
        return [entry for entry in entries if entry["tag"] == tag]

    def errors(self, pattern: str) -> list[str]:
        return [
            line for line in self.error_log.read_text(errors="replace").splitlines()
            if re.search(pattern, line)
        ]
