"""With a synchronous standby, a 2xx is on both machines (R1): also a duplicate's,
and also when somebody cancels the wait for the standby."""

import time

import pytest

from harness import signing
from harness.endpoint import Endpoint
from harness.http1 import post
from harness.stores import PostgresDatabase
from harness.waiting import wait_until
from servers.postgres import SMALL, Postgres

SECRET = "whsec_of_the_standby_tests_01234567"


@pytest.fixture
def primary():
    with Postgres(settings=SMALL) as server:
        yield server


def in_step(primary: Postgres) -> bool:
    return primary.sql("SELECT sync_state FROM pg_stat_replication") == [["sync"]]


def set_commit(primary: Postgres, how: str) -> None:
    """For all that use the database, from their next connection on."""
    primary.sql(f"ALTER DATABASE webhooks {how}")
    primary.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = 'webhooks'")


def test_r1_a_duplicate_is_no_less_durable_than_its_twin(primary, own_stack):
    store = PostgresDatabase(primary, "webhooks")
    stack = own_stack([Endpoint("stripe", SECRET)], store=store)
    standby = primary.standby("second")
    try:
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'second'")
        primary.sql("SELECT pg_reload_conf()")
        wait_until(lambda: in_step(primary), "the standby to be synchronous")

        def deliver(signed):
            return post(stack.nginx.port, "/stripe", signed.headers, signed.body).outcome

        before = signing.stripe(SECRET)
        assert deliver(before) == (200, "accepted")

        set_commit(primary, "SET synchronous_commit = local")
        assert deliver(signing.stripe(SECRET)) == (503, "unavailable"), "on one machine only"
        set_commit(primary, "RESET synchronous_commit")
        after = signing.stripe(SECRET)
        wait_until(lambda: deliver(after)[0] == 200, "commits that wait for the standby")

        standby.stop("immediate")
        lost = signing.stripe(SECRET)
        assert deliver(lost) == (503, "unavailable"), "nobody has confirmed it"
        # What an impatient operator does; the rows are visible from then on.
        wait_until(lambda: primary.sql(
            "SELECT count(pg_cancel_backend(pid)) > 0 FROM pg_stat_activity"
            " WHERE wait_event = 'SyncRep'") == [["t"]], "a commit to wait")
        wait_until(lambda: store.query(
            f"SELECT count(*) FROM inbox WHERE event_id = '{lost.event_id}'") == [("1",)],
            "the row to be visible")
        for _ in range(3):
            assert deliver(lost) == (503, "unavailable"), "visible, but on one machine only"
            time.sleep(0.1)

        standby.start()
        wait_until(lambda: in_step(primary), "the standby to be back")
        wait_until(lambda: deliver(lost) == (200, "duplicate"), "the answer that is now true")
        primary.stop("immediate")
        standby.promote()
        stored = standby.sql("SELECT event_id FROM inbox ORDER BY event_id", "webhooks")
        assert stored == sorted([[before.event_id], [after.event_id], [lost.event_id]])
        primary.start()
    finally:
        standby.close()
        primary.sql("ALTER SYSTEM RESET synchronous_standby_names")
        primary.sql("SELECT pg_reload_conf()")
