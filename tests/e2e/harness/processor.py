"""The webhook-processor, on an SQLite store of its own unless told otherwise."""

import signal
import subprocess
from pathlib import Path

from .daemon import Daemon
from .ports import accepts
from .settings import PROCESSOR, processor_environment
from .stores import SqliteFile, Store


class Processor:
    def __init__(self, root: Path, store: Store | None = None):
        self.root = root
        self.store = store or SqliteFile(root)
        self.link = root / "link.sock"
        self.admin = root / "admin.sock"
        self.log = root / "processor.log"
        self.config = root / "processor.toml"
        self.daemon: Daemon | None = None
        self._prepared = False
        self.config.write_text(f"""
[link]
socket = "{self.link}"

[store]
dsn = "{self.store.dsn}"

[keys]
file = "{root}/keys"

[admin]
socket = "{self.admin}"

[log]
level = "info"
""")

    @property
    def database(self) -> Path:
        """The file of an SQLite store."""
        return self.store.path

    def command(self, *arguments: str) -> list[str]:
        return [str(PROCESSOR), "--config", str(self.config), *arguments]

    def run(self, *arguments: str) -> None:
        """To its end, which must be a good one."""
        with self.log.open("ab") as output:
            done = subprocess.run(self.command(*arguments), env=processor_environment(),
                                  stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                  timeout=120)
        assert done.returncode == 0, self.log.read_text(errors="replace")[-4000:]

    def start(self, fault: str | None = None) -> None:
        if not self._prepared:
            self.store.prepare(self)
            self._prepared = True
        self.daemon = Daemon(
            self.command(), processor_environment(fault), self.log, "webhook-processor"
        )
        self.daemon.wait_ready(lambda: accepts(str(self.link)) and accepts(str(self.admin)))

    def stop(self, seconds: float = 30) -> int:
        return self.daemon.stop(signal.SIGTERM, seconds)

    def kill(self) -> None:
        self.daemon.kill()
        self.daemon = None
