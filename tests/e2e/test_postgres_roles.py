"""The roles of sql/postgres/roles.sql: each may do its work, and no more (R59).
The processor runs as its own."""

import subprocess

import pytest

from harness import signing
from harness.endpoint import Endpoint
from harness.http1 import post
from harness.settings import REPO
from harness.stores import PostgresDatabase
from servers.binaries import PSQL
from servers.postgres import Postgres
from servers.psql import SqlError

SECRET = "whsec_of_the_role_tests_0123456789"
ROLES_SQL = REPO / "sql" / "postgres" / "roles.sql"
ROLES = ("webhook_processor", "webhook_worker", "webhook_operator", "webhook_auditor")

INBOX = ("INSERT INTO inbox (tenant, provider, endpoint, event_id, inbox_id, received_at,"
         " payload_digest, body_bytes, secret_version, status, steps_left) VALUES"
         " ('t', 'p', 'e', 'i', gen_random_uuid(), now(), '', 0, '', 'RECEIVED', 1)")
PAYLOAD = "INSERT INTO payload VALUES (gen_random_uuid(), 't', current_date, '', '')"

# What it says, and who may say it.
STATEMENTS = {
    "SELECT count(*) FROM inbox": ROLES,
    "SELECT count(*) FROM processed": ROLES,
    "SELECT version FROM schema_version": ROLES,
    "SELECT count(*) FROM payload": ("webhook_processor", "webhook_worker"),
    "SELECT count(*) FROM data_key": ("webhook_processor",),
    "SELECT count(*) FROM operator_log": (
        "webhook_processor", "webhook_operator", "webhook_auditor"),
    INBOX: ("webhook_processor",),
    PAYLOAD: ("webhook_processor",),
    "UPDATE inbox SET status = 'FAILED'": (
        "webhook_processor", "webhook_worker", "webhook_operator"),
    "UPDATE inbox SET tenant = 'x'": (),
    "UPDATE inbox SET event_id = 'x'": (),
    "UPDATE payload SET blob = ''": (),
    "UPDATE outbox SET lease_token = NULL": (
        "webhook_processor", "webhook_worker", "webhook_operator"),
    "DELETE FROM outbox": ("webhook_processor", "webhook_worker"),
    "DELETE FROM inbox": (),
    "DELETE FROM payload": (),
    "DELETE FROM processed": (),
    "DELETE FROM replay_guard": (),
    "DELETE FROM operator_log": (),
    "UPDATE operator_log SET reason = ''": (),
    "UPDATE data_key SET wrapped = ''": (),
    "TRUNCATE inbox": (),
    "DROP TABLE inbox": (),
    "CREATE TABLE mine (i int)": (),
    "ALTER ROLE CURRENT_USER SUPERUSER": (),
}


class Limited(PostgresDatabase):
    """Migrated by its owner, used by the processor's role."""

    def __init__(self, server: Postgres, name: str):
        super().__init__(server, name)
        self._owner, self.dsn = self.dsn, server.dsn(name, "webhook_processor")

    def prepare(self, processor) -> None:
        processor.run("--store", self._owner, "--migrate")
        for _ in range(2):  # the second time changes nothing
            subprocess.run([PSQL, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", str(ROLES_SQL),
                            "-d", self._owner], check=True, capture_output=True)


@pytest.fixture(scope="module")
def limited(postgres_server, shared_stack):
    """A stack whose processor is webhook_processor."""
    store = Limited(postgres_server, "roles")
    stack = shared_stack([Endpoint("stripe", SECRET)], store=store)
    yield stack
    stack.stop()
    for role in ROLES:
        postgres_server.sql(f"DROP OWNED BY {role}", "roles")
    store.drop()
    for role in ROLES:
        postgres_server.sql(f"DROP ROLE {role}")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_r59_roles_have_what_they_need_and_no_more(limited, postgres_server, role, statement):
    # Rolled back: the statements are not what the store is about.
    text = f"BEGIN; {statement}; ROLLBACK"
    if role in STATEMENTS[statement]:
        postgres_server.sql(text, "roles", role)
    else:
        with pytest.raises(SqlError, match="permission denied|must be owner|must be superuser"):
            postgres_server.sql(text, "roles", role)


def test_the_processor_needs_no_more_than_its_role(limited, postgres_server):
    signed = signing.stripe(SECRET)
    first = post(limited.nginx.port, "/stripe", signed.headers, signed.body)
    assert first.outcome == (200, "accepted")
    again = post(limited.nginx.port, "/stripe", signed.headers, signed.body)
    assert again.outcome == (200, "duplicate")
    assert postgres_server.sql("SHOW lock_timeout", "roles", "webhook_processor") == [["1s"]]
    assert '"warning"' not in limited.processor.log.read_text()
