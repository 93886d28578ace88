"""Runs a test binary with PostgreSQL servers to test against, then stops them.

    with_stores.py GTEST_BINARY [ARGS...]

WEBHOOK_TEST_STORES tells the binary of them: a JSON array of objects with

    name          of the store in the tests' names
    admin         DSN that makes and drops databases
    store         DSN of the store, with %DB% where the database's name goes
    user          who opens the store and shall own its database
    template      which database to make databases from, or ""
    after_create  statements to run as admin after that, with %DB% (optional)
    claim         how the store shall claim work: skip_locked or recheck
"""

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import plain_role
from servers.binaries import DEBIAN_POSTGRES, current_postgres, major_version
from servers.pgbouncer import PgBouncer
from servers.postgres import SMALL, Postgres
from servers.stopping import exit_on_signals


def entry(name: str, server: Postgres, through: Postgres | PgBouncer | None = None,
          user: str = "postgres", template: str = "", claim: str = "skip_locked", **more) -> dict:
    store = (through or server).dsn("DATABASE", user).replace("DATABASE", "%DB%")
    return {"name": name, "admin": server.dsn(), "store": store, "user": user,
            "template": template, "claim": claim, **more}


def start(stack: ExitStack) -> list[dict]:
    debian = stack.enter_context(Postgres(settings=SMALL))
    pooler = stack.enter_context(PgBouncer(debian, pool_mode="transaction", pool_size=3))
    newest = stack.enter_context(Postgres(bin_dir=current_postgres(), settings=SMALL))
    plain_role.make(debian)
    plain_role.check(debian)
    name = f"postgres{major_version(DEBIAN_POSTGRES)}"
    return [
        entry(name, debian),
        entry("pgbouncer", debian, through=pooler),
        entry(f"postgres{major_version(current_postgres())}", newest),
        entry(f"{name}_plain", debian, user=plain_role.ROLE, template=plain_role.TEMPLATE,
              claim="recheck", after_create=plain_role.AFTER_CREATE),
    ]


def run(command: list[str], stores: list[dict]) -> int:
    """Its exit code, or as a shell tells of a signal. It ends when we do."""
    environment = os.environ | {"WEBHOOK_TEST_STORES": json.dumps(stores)}
    with subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], env=environment) as child:
        try:
            code = child.wait()
        finally:
            child.kill()
    return code if code >= 0 else 128 - code


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    exit_on_signals()
    with ExitStack() as stack:
        code = run(sys.argv[1:], start(stack))
    sys.exit(code)


if __name__ == "__main__":
    main()
