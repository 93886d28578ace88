"""Whatever dies between a request and the disk, under load: an event answered
2xx is there exactly once, whole; one answered 503 and sent again gets there
(R1, R3, R4, R63).

WEBHOOK_CRASH_SECONDS says for how long each test goes on hurting.
"""

import os
import random
import time
import uuid
from dataclasses import dataclass
from typing import Callable, Iterator

import pytest

from harness.endpoint import Endpoint
from harness.load import Load
from harness.settings import SLOWNESS
from harness.stack import Stack
from harness.stores import PostgresDatabase
from harness.waiting import wait_until
from servers.gate import Gate
from servers.pgbouncer import PgBouncer
from servers.postgres import Postgres

SECRET = "whsec_of_the_store_crashes"
SECONDS = float(os.environ.get("WEBHOOK_CRASH_SECONDS", 6))
ROUNDS = 3  # at least
# The module's deadline is 1.5 s.
BOUND_S = 3 * SLOWNESS


@dataclass
class Scene:
    stack: Stack
    postgres: Postgres
    database: str
    gate: Gate


@pytest.fixture(params=["postgres", "pgbouncer"])
def scene(request, own_stack, postgres_server) -> Iterator[Scene]:
    """The processor reaches PostgreSQL through a gate, with a pooler behind it."""
    way: Postgres | PgBouncer = postgres_server
    if request.param == "pgbouncer":
        way = request.getfixturevalue("pooler")
    with Gate(way) as gate:
        store = PostgresDatabase(postgres_server, f"crash_{uuid.uuid4().hex}", through=gate)
        stack = own_stack([Endpoint("stripe", SECRET)], store=store)
        yield Scene(stack, postgres_server, store.name, gate)
        # While there is a store that its processor can take leave of.
        gate.pass_all()
        stack.stop()
        store.drop()


def load_on(stack: Stack) -> Load:
    return Load(stack.nginx.port, "/stripe", SECRET)


def endure(stack: Stack, hurt: Callable[[Load], None]) -> None:
    """Hurts it again and again under load; `hurt` also heals."""
    end = time.monotonic() + SECONDS
    rounds = 0
    with load_on(stack) as load:
        while rounds < ROUNDS or time.monotonic() < end:
            load.wait_for(20)
            hurt(load)
            # It comes back by itself.
            load.wait_for(20)
            # Before the signatures are too old, which in a long run they would be.
            load.send_again()
            rounds += 1
    load.send_again()
    assert_whole(stack, load)


def assert_whole(stack: Stack, load: Load) -> None:
    assert load.failures == []
    assert set(load.statuses()) == {200}
    assert load.slowest() < BOUND_S
    stack.stop()
    stored = stack.stored_ids()
    lost = load.ids(200) - set(stored)
    assert not lost, f"{len(lost)} of {len(stored)}"
    assert len(stored) == len(set(stored)) == len(load.answers)
    assert stack.rows("inbox") == stack.rows("outbox") == stack.rows("payload") == len(stored)


def kill_processor(stack: Stack) -> None:
    stack.processor.kill()
    stack.processor.start()


def test_r63_sqlite_processor_killed(own_stack):
    stack = own_stack([Endpoint("stripe", SECRET)])
    endure(stack, lambda load: kill_processor(stack))


def test_r63_processor_killed(scene):
    endure(scene.stack, lambda load: kill_processor(scene.stack))


def test_r63_backend_killed(scene):
    """For PostgreSQL that is a crash of all of it."""
    def hurt(load: Load) -> None:
        assert scene.postgres.kill_backends(limit=1, database=scene.database)

    endure(scene.stack, hurt)


def test_r63_server_stopped_at_once(scene):
    endure(scene.stack, lambda load: scene.postgres.restart("immediate"))


def test_r63_connection_lost_before_the_answer(scene):
    """The commit has happened, or has not: the processor cannot know."""
    def hurt(load: Load) -> None:
        before = scene.gate.swallowed
        scene.gate.swallow_answers_after(random.randrange(20))
        wait_until(lambda: scene.gate.swallowed > before, "a swallowed answer")
        time.sleep(random.random() * 0.2)
        scene.gate.pass_all()

    endure(scene.stack, hurt)


def test_r63_connections_cut(scene):
    def hurt(load: Load) -> None:
        scene.gate.cut()

    endure(scene.stack, hurt)


def test_r3_half_open_server(scene):
    """Every request is answered in time, though the server never says a word."""
    def hurt(load: Load) -> None:
        scene.gate.stall()
        load.wait_for(2 * load.threads, status=503)
        scene.gate.pass_all()

    endure(scene.stack, hurt)


def test_r63_processor_ends_though_the_server_is_half_open(scene):
    def hurt(load: Load) -> None:
        scene.gate.stall()
        load.wait_for(load.threads, status=503)
        assert scene.stack.processor.stop(seconds=10 * SLOWNESS) == 0
        scene.gate.pass_all()
        scene.stack.processor.start()

    endure(scene.stack, hurt)
