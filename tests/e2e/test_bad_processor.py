"""A processor that breaks every rule of the link: NGINX answers 503 in bounded
time and stays well (R3, R20)."""

import time
from contextlib import contextmanager

import pytest

from harness import signing
from harness.endpoint import Endpoint
from harness.fake_processor import (GO_AWAY, HELLO, Connection, FakeProcessor, answer, framed,
                                    number, result, text)
from harness.http1 import Http1, post, request_head
from harness.settings import SLOWNESS
from harness.waiting import wait_until

SECRET = "whsec_of_the_bad_processor"
TIMEOUT_S = 0.7
BOUND_S = TIMEOUT_S + 1.0 * SLOWNESS


@pytest.fixture(scope="module")
def stack(shared_stack):
    stack = shared_stack([Endpoint(
        "stripe", SECRET, directives=f"webhook_timeout {int(TIMEOUT_S * 1000)}ms;")], start=False)
    stack.nginx.start()
    return stack


@contextmanager
def processor(stack, behave, closes=False):
    with FakeProcessor(stack.processor.link, behave, closes):
        try:
            yield
        finally:
            stack.processor.link.unlink()


def deliver(stack, **fields):
    signed = signing.stripe(SECRET, **fields)
    begin = time.monotonic()
    outcome = post(stack.nginx.port, "/stripe", signed.headers, signed.body)
    assert time.monotonic() - begin < BOUND_S
    return outcome.outcome


def obliging(connection: Connection) -> None:
    connection.send(HELLO)
    while True:
        connection.send(answer(connection.read_stream(), result()))


def after_event(make_bytes):
    """Says hello, then sends what `make_bytes` makes of the first event's stream."""
    def behave(connection: Connection) -> None:
        connection.send(HELLO)
        connection.send(make_bytes(connection.read_stream()))
    return behave


def byte_by_byte(connection: Connection) -> None:
    for byte in HELLO:
        connection.send(bytes([byte]))
    while True:
        for byte in answer(connection.read_stream(), result()):
            connection.send(bytes([byte]))
            time.sleep(0.001)


def test_r3_the_obliging_fake_is_believed(stack):
    for behave in (obliging, byte_by_byte):
        with processor(stack, behave):
            assert deliver(stack) == (200, "accepted")


SILENT = {
    "nothing at all": lambda connection: None,
    "no hello": lambda connection: connection.read_stream(),
    "hello and nothing": lambda connection: connection.send(HELLO),
    "hello of another version": lambda connection: connection.send(
        framed(text(2, number(1, 999)))),
    "garbage": lambda connection: connection.send(b"\xff" * 4096),
    "a length beyond all bounds": lambda connection: connection.send(HELLO + b"\x7f\xff\xff\xff"),
    "an empty frame": lambda connection: connection.send(HELLO + b"\0\0\0\0"),
    "half a frame": lambda connection: connection.send(HELLO[:-1]),
    "broken protobuf": after_event(lambda stream: framed(number(1, stream) + b"\x22\x7f")),
    "an answer to nobody": after_event(lambda stream: answer(stream + 12345, result())),
    "an answer to stream 0": after_event(lambda stream: answer(0, result())),
    "an answer without results": after_event(answer),
    "a reason that does not exist": after_event(
        lambda stream: answer(stream, result(decision=1, reason=250))),
    "accepted, by a reason that says refused": after_event(
        lambda stream: answer(stream, result(decision=1, reason=31))),
    "refused, by a reason that says accepted": after_event(
        lambda stream: answer(stream, result(decision=5, reason=1))),
    "a handshake, which stores nothing": after_event(
        lambda stream: answer(stream, result(decision=1, reason=5))),
    "go away": after_event(lambda stream: GO_AWAY),
}


@pytest.mark.parametrize("closes", [False, True], ids=["stays", "closes"])
@pytest.mark.parametrize("name", SILENT)
def test_r3_unavailable_then_well_again(stack, name, closes):
    with processor(stack, SILENT[name], closes):
        for _ in range(3):
            assert deliver(stack) == (503, "unavailable")
        # With a body that does not fit a socket's buffer.
        assert deliver(stack, padding="x" * 900_000) == (503, "unavailable")
    with processor(stack, obliging):
        outcomes = [deliver(stack) for _ in range(4)]
    # One of each worker may still meet the old connection's end.
    assert outcomes[-1] == (200, "accepted")


def test_r3_a_second_answer_counts_for_nobody(stack):
    def twice(connection: Connection) -> None:
        connection.send(HELLO)
        while True:
            stream = connection.read_stream()
            connection.send(answer(stream, result()) + answer(stream, result(5, 44)))

    with processor(stack, twice):
        assert [deliver(stack) for _ in range(5)] == [(200, "accepted")] * 5


def test_r3_an_answer_after_the_deadline_is_passed_over(stack):
    def late(connection: Connection) -> None:
        connection.send(HELLO)
        stream = connection.read_stream()
        time.sleep(TIMEOUT_S + 0.3)
        connection.send(answer(stream, result()))
        obliging_after(connection)

    def obliging_after(connection: Connection) -> None:
        while True:
            connection.send(answer(connection.read_stream(), result()))

    with processor(stack, late):
        assert deliver(stack) == (503, "unavailable")
        time.sleep(0.5)
        assert (200, "accepted") in [deliver(stack) for _ in range(3)]


def test_r4_bytes_after_the_body_do_not_send_the_event_again(stack):
    """A pipelined request arrives while the event before it is in flight."""
    streams = []

    def slow(connection: Connection) -> None:
        connection.send(HELLO)
        while True:
            streams.append(connection.read_stream())
            time.sleep(TIMEOUT_S / 2)
            connection.send(answer(streams[-1], result()))

    with processor(stack, slow), Http1(stack.nginx.port) as client:
        signed = signing.stripe(SECRET, padding="x" * 300_000)
        headers = [*signed.headers, ("Content-Length", len(signed.body))]
        client.send(request_head("POST", "/stripe", headers) + signed.body)
        wait_until(lambda: streams, "the event", 5)
        client.send(request_head("GET", "/stripe", []))
        assert client.read_response().outcome == (200, "accepted")
        assert client.read_response().outcome == (405, "refused")
        time.sleep(TIMEOUT_S)  # a second copy would have been read by now
        assert len(streams) == 1


def test_r3_an_answer_before_the_event_was_read(stack):
    """The request goes while the tail of its body is still to be sent."""
    def hasty(connection: Connection) -> None:
        connection.send(HELLO)
        connection.send(answer(connection.begin_event(), result()))

    with processor(stack, hasty):
        for _ in range(4):
            assert deliver(stack, padding="x" * 900_000)[0] in (200, 503)
        time.sleep(TIMEOUT_S)
    with processor(stack, obliging):
        assert [deliver(stack) for _ in range(4)][-1] == (200, "accepted")


def test_r4_clients_that_leave_before_the_answer(stack):
    """The decision comes all the same, once for each event."""
    streams = []

    def slow(connection: Connection) -> None:
        connection.send(HELLO)
        while True:
            streams.append(connection.read_stream())
            time.sleep(0.02)
            connection.send(answer(streams[-1], result()))

    with processor(stack, slow):
        for size in [10, 40_000, 900_000] * 5:
            signed = signing.stripe(SECRET, padding="x" * size)
            with Http1(stack.nginx.port) as client:
                headers = [*signed.headers, ("Content-Length", len(signed.body))]
                before = len(streams)
                client.send(request_head("POST", "/stripe", headers) + signed.body)
                wait_until(lambda: len(streams) > before, "the event", 5)
        time.sleep(TIMEOUT_S)
        assert len(streams) == 15
        assert deliver(stack) == (200, "accepted")


def test_clients_that_leave_while_they_wait(stack):
    """Each is forgotten when its time is up; the next is served."""
    with processor(stack, lambda connection: connection.send(HELLO)):
        for size in (10, 900_000):
            for _ in range(20):
                signed = signing.stripe(SECRET, padding="x" * size)
                client = Http1(stack.nginx.port)
                headers = [*signed.headers, ("Content-Length", len(signed.body))]
                client.send(request_head("POST", "/stripe", headers) + signed.body)
                client.close()
        time.sleep(BOUND_S)
    with processor(stack, obliging):
        assert [deliver(stack) for _ in range(4)][-1] == (200, "accepted")
