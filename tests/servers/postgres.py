"""A PostgreSQL server of its own, on a Unix socket only.

As a command it runs one until SIGTERM or SIGINT and then removes it:

    python3 tests/servers/postgres.py [--bin DIR] [--set NAME=VALUE]...
                                      [--data DIR] [--database NAME]

It prints one line, `ready DSN`, when the database is there.
"""

import argparse
import os
import shutil
import signal
import sys
from pathlib import Path
from urllib.parse import quote

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from servers import os_user
from servers.binaries import DEBIAN_POSTGRES
from servers.data_folder import DataFolder
from servers.folder import TemporaryFolder
from servers.process import ServerProcess
from servers.psql import quoted, run_sql
from servers.stopping import exit_on_signals

PORT = 5432
STOP_SIGNALS = {"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}
# Little memory and disk, for servers that live as long as a test; what keeps
# data safe stays as it is.
SMALL = {"shared_buffers": "16MB", "max_wal_size": "128MB", "min_wal_size": "32MB"}


class Postgres:
    """Anyone may connect as anyone. `root` is a folder for the data, not there
    yet or empty, which goes with the server; without one, it is under /tmp."""

    def __init__(self, root: Path | None = None, bin_dir: Path = DEBIAN_POSTGRES,
                 settings: dict[str, str] | None = None):
        self.settings = dict(settings or {})
        self._folder = TemporaryFolder("pg")
        self.socket_dir = self._folder.path
        self.log = self._folder.path / "log"
        self._bin = self._reachable(bin_dir)
        self._data = DataFolder((root or self._folder.path / "data").absolute(), self._bin)
        self._process: ServerProcess | None = None

    def __enter__(self) -> "Postgres":
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_) -> None:
        self.close()

    def start(self) -> "Postgres":
        """Also after `stop`, on the same data; returns when it takes connections."""
        if self._process and self._process.running:
            return self
        if not self._data.made:
            self._data.make()
        self._data.write_settings({"listen_addresses": "", "port": str(PORT), **self.settings,
                                   "unix_socket_directories": str(self.socket_dir)})
        self._process = ServerProcess([str(self._bin / "postgres"), "-D", str(self._data.path)],
                                      self.log, parent_death=signal.SIGQUIT)
        self._process.wait_ready(lambda: self._data.server_is_ready(self.pid))
        return self

    def stop(self, mode: str = "fast") -> None:
        self._process.stop(STOP_SIGNALS[mode])

    def restart(self, mode: str = "fast") -> None:
        self.stop(mode)
        self.start()

    def close(self) -> None:
        """Stops it and removes everything."""
        try:
            if self._process and self._process.running:
                self.stop()
        finally:
            self._data.remove()
            self._folder.remove()

    @property
    def pid(self) -> int:
        return self._process.pid

    def dsn(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{quote(user)}@/{quote(database)}?host={self.socket_dir}"

    def sql(self, text: str, database: str = "postgres", user: str = "postgres") -> list[list[str]]:
        return run_sql(self.dsn(database, user), text)

    def create_database(self, name: str, template: str | None = None,
                        owner: str | None = None) -> None:
        options = [f"{word} {quoted(value)}"
                   for word, value in (("TEMPLATE", template), ("OWNER", owner)) if value]
        self.sql(f"CREATE DATABASE {quoted(name)} {' '.join(options)}")

    def kill_backends(self, limit: int | None = None, database: str | None = None) -> list[int]:
        """SIGKILL of so many client backends (all), whose pids it returns. For the
        server that is damaged memory: it ends every other one, and recovers."""
        of_database = f"AND datname = '{database}'" if database else ""
        rows = self.sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                        f" AND pid <> pg_backend_pid() {of_database}")
        children = self._children()
        killed = [pid for row in rows if (pid := int(row[0])) in children][:limit]
        for pid in killed:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # the death of the one before has ended it
        return killed

    def standby(self, application_name: str, root: Path | None = None) -> "Postgres":
        """A streaming replica, started; the name is for synchronous_standby_names."""
        replica = Postgres(root, self._bin, self.settings)
        try:
            replica._data.copy_of(f"{self.dsn()}&application_name={application_name}")
            return replica.start()
        except BaseException:
            replica.close()
            raise

    def promote(self) -> None:
        assert self.sql("SELECT pg_promote()") == [["t"]]

    def _children(self) -> set[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return {int(pid) for pid in children.split()}

    def _reachable(self, bin_dir: Path) -> Path:
        """The package of a checkout that the server's user cannot enter is copied."""
        if os_user.can_reach(bin_dir):
            return bin_dir
        copy = self._folder.path / "install"
        shutil.copytree(bin_dir.parent, copy, symlinks=True)
        return copy / bin_dir.name


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs a PostgreSQL server until SIGTERM.")
    parser.add_argument("--bin", type=Path, default=DEBIAN_POSTGRES, metavar="DIR",
                        help="the folder of initdb and postgres")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                        help="a server setting")
    parser.add_argument("--data", type=Path, metavar="DIR",
                        help="a folder for the data, not there yet or empty")
    parser.add_argument("--database", default="postgres", metavar="NAME", help="made unless there")
    options = parser.parse_args()
    exit_on_signals(code=0)
    settings = dict(each.split("=", 1) for each in options.set)
    with Postgres(options.data, options.bin, settings) as server:
        if options.database != "postgres":
            server.create_database(options.database)
        print("ready", server.dsn(options.database), flush=True)
        while True:
            signal.pause()


if __name__ == "__main__":
    main()
