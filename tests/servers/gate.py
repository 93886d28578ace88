"""Between a client and a PostgreSQL server or pooler: a network that does what a
test says."""

import socket
import threading
from urllib.parse import quote

from .folder import TemporaryFolder
from .gate_connection import GateConnection
from .pgbouncer import PgBouncer
from .postgres import PORT, Postgres


class Gate:
    """A Unix socket named as the server's. Passes everything until told otherwise."""

    def __init__(self, server: Postgres | PgBouncer):
        self.server = server
        self._folder = TemporaryFolder("gate")
        self._changed = threading.Condition()
        self._stalled = False
        self._to_pass: int | None = None  # answers until they are swallowed
        self.swallowed = 0
        self._connections: set[GateConnection] = set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self._folder.path / f".s.PGSQL.{PORT}"))
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "Gate":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.pass_all()
        self.cut()
        self._folder.remove()

    def dsn(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{quote(user)}@/{quote(database)}?host={self._folder.path}"

    def pass_all(self) -> None:
        """What is held passes now."""
        self._set(stalled=False, to_pass=None)

    def cut(self) -> None:
        """Closes the connections there are; new ones may come."""
        with self._changed:
            connections = list(self._connections)
        for connection in connections:
            connection.close()

    def swallow_answers_after(self, count: int) -> None:
        """Passes that many more answers, not counting those to a new connection's
        start. From then on the server does as it is asked, and each client loses
        its connection instead of hearing of it."""
        self._set(stalled=False, to_pass=count)

    def stall(self) -> None:
        """A half-open peer: connections are made and stay, and nothing passes."""
        self._set(stalled=True, to_pass=None)

    def _set(self, stalled: bool, to_pass: int | None) -> None:
        with self._changed:
            self._stalled = stalled
            self._to_pass = to_pass
            self._changed.notify_all()

    def wait_open(self) -> None:
        """For connections: returns unless it is stalled."""
        with self._changed:
            self._changed.wait_for(lambda: not self._stalled)

    def swallows(self) -> bool:
        """For connections: whether the next bytes of an answer are to be dropped."""
        with self._changed:
            return self._to_pass == 0

    def answered(self, passed: bool) -> None:
        """For connections: an answer is complete."""
        with self._changed:
            if not passed:
                self.swallowed += 1
            elif self._to_pass:
                self._to_pass -= 1

    def closed(self, connection: GateConnection) -> None:
        with self._changed:
            self._connections.discard(connection)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            connection = GateConnection(self, client)
            with self._changed:
                self._connections.add(connection)
            threading.Thread(target=connection.serve, daemon=True).start()
