"""The processor stops, dies, hangs; NGINX reloads: every request is answered
in bounded time, and what got 200 is there once (R1, R3, R20, R21, R63)."""

import signal
import time
from collections import Counter

import pytest

from harness import signing
from harness.endpoint import Endpoint
from harness.http1 import Http1, post, request_head
from harness.load import Load
from harness.nginx import TAG
from harness.settings import SLOWNESS
from harness.stack import Stack
from harness.waiting import wait_until

SECRET = "whsec_of_the_link_tests"
TIMEOUT_S = 1.5
# The deadline, and what a busy machine with sanitizers adds.
BOUND_S = TIMEOUT_S + 1.5 * SLOWNESS


@pytest.fixture
def stack(own_stack):
    return own_stack([Endpoint("stripe", SECRET)])


def load_on(stack: Stack) -> Load:
    return Load(stack.nginx.port, "/stripe", SECRET)


def assert_nothing_lost(stack: Stack, load: Load) -> None:
    assert load.failures == []
    assert set(load.statuses()) <= {200, 503}
    assert load.slowest() < BOUND_S
    stack.stop()
    stored = stack.stored_ids()
    assert len(stored) == len(set(stored)) == stack.rows("inbox")
    assert load.ids(200) <= set(stored)
    # A 503 whose outcome was unknown may be there as well; nothing else may.
    assert set(stored) <= load.ids(200) | load.ids(503)


def test_r63_processor_stopped_and_started_under_load(stack):
    with load_on(stack) as load:
        load.wait_for(50)
        assert stack.processor.stop() == 0
        load.wait_for(20, status=503)
        stack.processor.start()
        load.wait_for(50)
    assert_nothing_lost(stack, load)


def test_r63_processor_killed_three_times_under_load(stack):
    with load_on(stack) as load:
        for _ in range(3):
            load.wait_for(50)
            stack.processor.kill()
            load.wait_for(20, status=503)
            stack.processor.start()
        load.wait_for(50)
    assert_nothing_lost(stack, load)


def test_r3_processor_that_hangs(stack):
    """503 once the time is up, and service again when it goes on."""
    with Http1(stack.nginx.port) as client:
        warm = signing.stripe(SECRET)
        assert client.post("/stripe", warm.headers, warm.body).status == 200
        stack.processor.daemon.send(signal.SIGSTOP)
        held = signing.stripe(SECRET)
        begin = time.monotonic()
        answer = client.post("/stripe", held.headers, held.body)
        seconds = time.monotonic() - begin
        stack.processor.daemon.send(signal.SIGCONT)
        assert answer.outcome == (503, "unavailable")
        assert answer.header("Retry-After") == "5"
        assert TIMEOUT_S - 0.1 <= seconds < BOUND_S
        # Whether the first try was stored or not, the retry converges.
        answer = client.post("/stripe", held.headers, held.body)
        assert answer.status == 200
    stack.stop()
    assert sorted(stack.stored_ids()) == sorted([warm.event_id, held.event_id])


def send_without_waiting(stack: Stack, count: int, tag: str = "") -> list[Http1]:
    clients = []
    for _ in range(count):
        signed = signing.stripe(SECRET)
        client = Http1(stack.nginx.port)
        headers = [*signed.headers, (TAG, tag), ("Content-Length", len(signed.body))]
        client.send(request_head("POST", "/stripe", headers) + signed.body)
        clients.append(client)
    return clients


def test_r63_graceful_stop_answers_what_was_taken(stack):
    """Every request gets an answer, and at once: none waits for its deadline."""
    begin = time.monotonic()
    clients = send_without_waiting(stack, 100)
    assert stack.processor.stop() == 0
    answers = [client.read_response() for client in clients]
    assert time.monotonic() - begin < BOUND_S
    accepted = sum(answer.status == 200 for answer in answers)
    assert {answer.status for answer in answers} <= {200, 503}
    for client in clients:
        client.close()
    stack.stop()
    assert len(stack.stored_ids()) == accepted


def test_r20_in_flight_limit_answers_at_once(own_stack):
    """A full worker refuses; it does not queue. Each of the two holds 4."""
    stack = own_stack([Endpoint("stripe", SECRET, directives="webhook_max_inflight 4 64m;")])
    signed = signing.stripe(SECRET)
    assert post(stack.nginx.port, "/stripe", signed.headers, signed.body).status == 200
    stack.processor.daemon.send(signal.SIGSTOP)
    clients = send_without_waiting(stack, 30, tag="full")
    wait_until(lambda: len(stack.nginx.logged("full")) >= 22, "refusals", TIMEOUT_S / 2)
    stack.processor.daemon.send(signal.SIGCONT)
    statuses = Counter(client.read_response().status for client in clients)
    assert 4 <= statuses[200] <= 8
    assert statuses[503] == 30 - statuses[200]
    entries = wait_until(lambda: len(e := stack.nginx.logged("full")) == 30 and e, "30 entries")
    assert Counter(entry["reason"] for entry in entries) == {
        "accepted": statuses[200], "inflight_full": statuses[503]}


def test_r21_reload_under_load_loses_nothing(stack):
    with load_on(stack) as load:
        for _ in range(5):
            load.wait_for(30)
            stack.nginx.reload()
        load.wait_for(30)
    assert load.statuses()[503] == 0
    assert_nothing_lost(stack, load)


def test_r21_old_workers_leave_with_requests_in_flight(stack):
    """A reload while the processor hangs: the old worker answers, then leaves."""
    signed = signing.stripe(SECRET)
    assert post(stack.nginx.port, "/stripe", signed.headers, signed.body).status == 200
    stack.processor.daemon.send(signal.SIGSTOP)
    clients = send_without_waiting(stack, 10)
    time.sleep(0.2)  # the workers have handed them off
    stack.nginx.reload()
    stack.processor.daemon.send(signal.SIGCONT)
    assert {client.read_response().status for client in clients} <= {200, 503}
