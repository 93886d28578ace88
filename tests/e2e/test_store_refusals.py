"""A row that the store does not take is our own fault: the provider is asked to
send the event again, and the log says what the store said (R4)."""

import uuid

import pytest

from harness import signing
from harness.endpoint import Endpoint
from harness.stores import PostgresDatabase
from servers.psql import run_sql

SECRET = "whsec_of_the_refusing_store_0123"
DAY = "'payload_' || to_char(now() + interval '30 days', 'YYYYMMDD')"


@pytest.fixture
def store(postgres_server):
    store = PostgresDatabase(postgres_server, f"refusals_{uuid.uuid4().hex}")
    yield store
    store.drop()


def break_partitions(dsn: str) -> None:
    day = run_sql(dsn, f"SELECT {DAY}")[0][0]
    run_sql(dsn, f"DROP TABLE {day}, payload_default")


def mend_partitions(dsn: str) -> None:
    run_sql(dsn, "CREATE TABLE payload_default PARTITION OF payload DEFAULT")


def break_constraint(dsn: str) -> None:
    run_sql(dsn, "ALTER TABLE inbox ADD CONSTRAINT mine CHECK (body_bytes < 0) NOT VALID")


def mend_constraint(dsn: str) -> None:
    run_sql(dsn, "ALTER TABLE inbox DROP CONSTRAINT mine")


@pytest.mark.parametrize("hurt,mend", [(break_partitions, mend_partitions),
                                       (break_constraint, mend_constraint)])
def test_an_event_that_the_store_refuses_comes_again(own_stack, store, hurt, mend):
    stack = own_stack([Endpoint("stripe", SECRET)], store=store)
    signed = signing.stripe(SECRET)
    hurt(store.dsn)
    answer, entry = stack.post_logged("/stripe", signed.headers, signed.body)
    assert answer.outcome == (503, "unavailable")
    assert entry["reason"] == "rejected_by_store"
    log = stack.processor.log.read_text()
    assert "row not stored" in log and "23514" in log
    assert SECRET not in log and signed.event_id not in log.split("row not stored")[1].split("\n")[0]
    mend(store.dsn)
    answer, _ = stack.post_logged("/stripe", signed.headers, signed.body)
    assert answer.outcome == (200, "accepted")
    stack.stop()
