"""The webhook-processor on an SQLite store of its own."""

import signal
from pathlib import Path

from .daemon import Daemon
from .ports import accepts
from .settings import PROCESSOR, processor_environment


class Processor:
    def __init__(self, root: Path):
        self.root = root
        self.link = root / "link.sock"
        self.admin = root / "admin.sock"
        self.database = root / "store.db"
        self.log = root / "processor.log"
        self.config = root / "processor.toml"
        self.daemon: Daemon | None = None
        self.config.write_text(f"""
[link]
socket = "{self.link}"

[store]
dsn = "sqlite:{self.database}"

[keys]
file = "{root}/keys"

[admin]
socket = "{self.admin}"

[log]
level = "info"
""")

    def start(self, fault: str | None = None) -> None:
        self.daemon = Daemon(
            [str(PROCESSOR), "--config", str(self.config)],
            processor_environment(fault), self.log, "webhook-processor",
        )
        self.daemon.wait_ready(lambda: accepts(str(self.link)) and accepts(str(self.admin)))

    def stop(self) -> int:
        return self.daemon.stop(signal.SIGTERM)

    def kill(self) -> None:
        self.daemon.kill()
        self.daemon = None
