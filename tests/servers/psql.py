"""SQL through psql, as lists of texts."""

import os
import subprocess

from .binaries import PSQL

# What no value has in it.
FIELD_END, ROW_END = "\x1f", "\x1e"


class SqlError(RuntimeError):
    pass


def run_sql(dsn: str, text: str, seconds: float = 60) -> list[list[str]]:
    """The rows of one statement (several would be one transaction)."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    done = subprocess.run(
        [PSQL, "-X", "-A", "-t", "-q", "-F", FIELD_END, "-R", ROW_END, "-d", dsn, "-c", text],
        env=environment, capture_output=True, text=True, timeout=seconds,
    )
    if done.returncode != 0:
        raise SqlError(done.stderr.strip())
    if not done.stdout:
        return []
    return [row.split(FIELD_END) for row in done.stdout.removesuffix("\n").split(ROW_END)]


def quoted(name: str) -> str:
    """An identifier."""
    return '"' + name.replace('"', '""') + '"'
