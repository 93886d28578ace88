"""PgBouncer before a PostgreSQL server, on a Unix socket only."""

import signal
from urllib.parse import quote

from .binaries import PGBOUNCER
from .folder import TemporaryFolder
from .postgres import PORT, Postgres
from .process import ServerProcess


class PgBouncer:
    """Passes every database name on; the users it lets in are named, and need
    no password."""

    def __init__(self, postgres: Postgres, pool_mode: str = "transaction", pool_size: int = 4,
                 max_client_conn: int = 100, users: tuple[str, ...] = ("postgres",)):
        self._folder = TemporaryFolder("pgbouncer")
        self.socket_dir = self._folder.path
        self.log = self._folder.path / "log"
        self._config = self._folder.path / "pgbouncer.ini"
        self._process: ServerProcess | None = None
        names = self._folder.path / "users"
        names.write_text("".join(f'"{user}" ""\n' for user in users))
        # Its own defaults but for what follows "retry": after a server that did
        # not answer it would refuse its clients for 15 seconds.
        self._config.write_text(f"""
[databases]
* = host={postgres.socket_dir} port={PORT}
[pgbouncer]
unix_socket_dir = {self.socket_dir}
listen_port = {PORT}
auth_type = trust
auth_file = {names}
pool_mode = {pool_mode}
default_pool_size = {pool_size}
max_client_conn = {max_client_conn}
server_login_retry = 0.2
""")

    def __enter__(self) -> "PgBouncer":
        try:
            return self.start()
        except BaseException:
            self.close()
            raise

    def __exit__(self, *_) -> None:
        self.close()

    def start(self) -> "PgBouncer":
        # SIGTERM: at once, without waiting for its clients.
        self._process = ServerProcess([str(PGBOUNCER), str(self._config)], self.log,
                                      parent_death=signal.SIGTERM)
        self._process.wait_ready((self.socket_dir / f".s.PGSQL.{PORT}").exists)
        return self

    def stop(self) -> None:
        self._process.stop(signal.SIGTERM)

    def close(self) -> None:
        """Stops it and removes everything."""
        try:
            if self._process and self._process.running:
                self.stop()
        finally:
            self._folder.remove()

    def dsn(self, database: str = "postgres", user: str = "postgres") -> str:
        return f"postgresql://{quote(user)}@/{quote(database)}?host={self.socket_dir}"
