"""PostgreSQL and PgBouncer refuse to run as root: then they run as `postgres`."""

import os
import pwd
import shutil
from pathlib import Path

IS_ROOT = os.geteuid() == 0
NAME = "postgres"


def popen_options() -> dict:
    """For subprocess: whom the server runs as."""
    if not IS_ROOT:
        return {}
    entry = pwd.getpwnam(NAME)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def give(path: Path) -> None:
    if IS_ROOT:
        shutil.chown(path, NAME, NAME)


def can_reach(path: Path) -> bool:
    """Whether that user may enter the folder and all above it."""
    path = path.resolve()
    return not IS_ROOT or all(folder.stat().st_mode & 0o001 for folder in [path, *path.parents])
