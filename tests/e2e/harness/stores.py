"""Where a processor stores, and what is there."""

import sqlite3
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from servers.gate import Gate
from servers.pgbouncer import PgBouncer
from servers.postgres import Postgres
from servers.psql import quoted

if TYPE_CHECKING:
    from .processor import Processor


class Store(ABC):
    dsn: str

    def prepare(self, processor: "Processor") -> None:
        """Before the processor's first start."""

    @abstractmethod
    def query(self, text: str) -> list[tuple]: ...

    def rows(self, table: str) -> int:
        return int(self.query(f"SELECT count(*) FROM {table}")[0][0])

    def stored_ids(self) -> list[str]:
        """Event ids of all inbox rows that have their outbox row and payload."""
        return [row[0] for row in self.query(
            "SELECT event_id FROM inbox JOIN outbox USING (tenant, inbox_id)"
            " JOIN payload USING (payload_id)"
        )]


class SqliteFile(Store):
    """To be asked after the processor has stopped."""

    def __init__(self, root: Path):
        self.path = root / "store.db"
        self.dsn = f"sqlite:{self.path}"

    def query(self, text: str) -> list[tuple]:
        with sqlite3.connect(self.path) as store:
            return store.execute(text).fetchall()


class PostgresDatabase(Store):
    """A new database. The processor reaches it through a pooler or a gate, if
    there is one; the test asks the server itself."""

    def __init__(self, server: Postgres, name: str, through: PgBouncer | Gate | None = None):
        self._server = server
        self.name = name
        self.dsn = (through or server).dsn(name)
        server.create_database(name)

    def prepare(self, processor: "Processor") -> None:
        processor.run("--migrate")

    def drop(self) -> None:
        """A server that starts after a crash looks at every file of all databases."""
        self._server.sql(f"DROP DATABASE {quoted(self.name)} WITH (FORCE)")

    def query(self, text: str) -> list[tuple]:
        return [tuple(row) for row in self._server.sql(text, self.name)]
