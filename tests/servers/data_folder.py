"""A PostgreSQL data folder: how it is made, its settings, the server's state in it."""

import shutil
from pathlib import Path

from . import os_user
from .process import run


class DataFolder:
    def __init__(self, path: Path, bin_dir: Path):
        self.path = path
        self._bin = bin_dir

    @property
    def made(self) -> bool:
        return (self.path / "PG_VERSION").exists()

    def make(self) -> None:
        self._own()
        run([str(self._bin / "initdb"), "-D", str(self.path), "--no-sync", "--auth=trust",
             "--encoding=UTF8", "--locale=C", "--username=postgres"])

    def copy_of(self, primary: str) -> None:
        """The base of a replica of the server with that DSN."""
        self._own()
        run([str(self._bin / "pg_basebackup"), "-D", str(self.path), "--no-sync",
             "--checkpoint=fast", "--write-recovery-conf", "-d", primary])

    def _own(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(self.path.iterdir()):
            raise FileExistsError(f"{self.path} is not empty")
        os_user.give(self.path)

    def write_settings(self, settings: dict[str, str]) -> None:
        """Instead of what initdb wrote or, for a replica, the primary has."""
        file = self.path / "postgresql.conf"
        quoted = {name: value.replace("'", "''") for name, value in settings.items()}
        file.write_text("".join(f"{name} = '{value}'\n" for name, value in quoted.items()))
        file.chmod(0o644)

    def server_is_ready(self, pid: int) -> bool:
        """As pg_ctl does: the server writes its state into its pid file."""
        try:
            lines = (self.path / "postmaster.pid").read_text().split("\n")
            return int(lines[0]) == pid and lines[7].strip() in ("ready", "standby")
        except (OSError, ValueError, IndexError):
            return False

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
