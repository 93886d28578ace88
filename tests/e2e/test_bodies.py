"""Bodies of every size by every transport: kept byte for byte, refused beyond
the limit while they stream, and never on a disk unverified (R10, R11, R33)."""

import random

import pytest

from harness import signing
from harness.ctl import events, payload
from harness.endpoint import Endpoint
from harness.http1 import Http1, chunk, post, request_head
from harness.http2 import Http2
from harness.inotify import Appearances
from harness.response import Response, pieces_of

SECRET = "recognisable-secret-of-plain"
LIMIT = 48 * 1024
SIZES = (0, 1, 16383, 16384, 16385, LIMIT)
ONE_BYTE_UP_TO = 16385

SMALL_BUFFER = f"client_body_buffer_size 1k; webhook_max_body {LIMIT}; client_max_body_size 2m;"
IN_FILE = f"client_body_in_file_only on; webhook_max_body {LIMIT}; client_max_body_size 2m;"
ENDPOINTS = {"small-buffer": SMALL_BUFFER, "in-file": IN_FILE, "defaults": ""}


@pytest.fixture(scope="module")
def stack(shared_stack):
    return shared_stack(
        [Endpoint("plain", SECRET, name=name, directives=directives)
         for name, directives in ENDPOINTS.items()],
        http=signing.PLAIN_PROVIDER,
    )


@pytest.fixture(autouse=True)
def watch(stack):
    """Nothing may ever appear in a folder where NGINX puts bodies."""
    folders = [folder for folder in stack.nginx.temp.rglob("*") if folder.is_dir()]
    assert stack.nginx.temp / "client_body" in folders
    with Appearances(folders) as watch:
        yield
        assert watch.names() == []


def bytes_of(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def by_content_length(stack, path, signed):
    return post(stack.nginx.port, path, signed.headers, signed.body)


def chunked_by(size: int):
    def send(stack, path, signed):
        pieces = pieces_of(signed.body, size)
        return post(stack.nginx.port, path, signed.headers, signed.body, pieces=pieces)
    return send


def http2(size: int, content_length: bool):
    def send(stack, path, signed):
        with Http2(stack.nginx.h2_port) as client:
            return client.post(path, signed.headers, signed.body,
                               pieces_of(signed.body, size), content_length)
    return send


TRANSPORTS = {
    "content-length": by_content_length,
    "chunked": chunked_by(3000),
    "one-byte-chunks": chunked_by(1),
    "http2": http2(3000, True),
    "http2-without-length": http2(3000, False),
    "http2-one-byte": http2(1, False),
}


@pytest.mark.parametrize("endpoint", ["small-buffer", "in-file"])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_r11_r33_every_size(stack, endpoint, transport):
    for size in SIZES:
        if "one-byte" in transport and size > ONE_BYTE_UP_TO:
            continue
        signed = signing.plain(SECRET, bytes_of(size))
        answer = TRANSPORTS[transport](stack, f"/{endpoint}", signed)
        assert answer.outcome == (200, "accepted"), size
        row, = events(stack.processor.admin, "--event-id", signed.event_id)
        assert row["body_bytes"] == size
        assert payload(stack.processor.admin, row["inbox_id"]) == signed.body


@pytest.mark.parametrize("endpoint", ["small-buffer", "in-file"])
@pytest.mark.parametrize("transport", [name for name in TRANSPORTS if "one-byte" not in name])
def test_r10_one_byte_more_than_the_limit(stack, endpoint, transport):
    signed = signing.plain(SECRET, bytes_of(LIMIT + 1))
    answer: Response = TRANSPORTS[transport](stack, f"/{endpoint}", signed)
    assert answer.outcome == (413, "refused")
    assert events(stack.processor.admin, "--event-id", signed.event_id) == []


def test_r10_default_limit_is_one_mebibyte(stack):
    for transport in ("content-length", "chunked", "http2-without-length"):
        signed = signing.plain(SECRET, bytes_of(1 << 20))
        assert TRANSPORTS[transport](stack, "/defaults", signed).outcome == (200, "accepted")
        row, = events(stack.processor.admin, "--event-id", signed.event_id)
        assert payload(stack.processor.admin, row["inbox_id"]) == signed.body
    too_large = signing.plain(SECRET, bytes_of((1 << 20) + 1))
    for transport in ("content-length", "chunked", "http2-without-length"):
        assert TRANSPORTS[transport](stack, "/defaults", too_large).status == 413


def test_r11_refused_bodies_are_not_written_either(stack):
    signed = signing.plain(SECRET, bytes_of(40000))
    headers = signed.replaced("X-Plain-Id", "another")
    for endpoint in ("small-buffer", "in-file"):
        for size in (1, 7000):
            answer = post(stack.nginx.port, f"/{endpoint}", headers, signed.body,
                          pieces=pieces_of(signed.body, size) if size > 1 else None)
            assert answer.outcome == (401, "refused")


def test_r33_body_in_dribbles_and_expect_continue(stack):
    """Each byte a segment of its own, after the server has asked for it."""
    signed = signing.plain(SECRET, b"dribble" * 20)
    with Http1(stack.nginx.port) as client:
        headers = [*signed.headers, ("Expect", "100-continue"),
                   ("Content-Length", len(signed.body))]
        client.send(request_head("POST", "/small-buffer", headers))
        assert client.socket.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        for byte in pieces_of(signed.body, 1):
            client.send(byte)
        assert client.read_response().outcome == (200, "accepted")


def test_r10_a_refused_body_is_not_the_next_request(stack):
    """Two requests in one write: the first is refused unread, and its body
    holds what looks like a request."""
    inner = request_head("GET", "/smuggled", [])
    signed = signing.plain(SECRET, b"pipelined")
    with Http1(stack.nginx.port) as client:
        refused = request_head("POST", "/small-buffer", [("Content-Length", len(inner))]) + inner
        second = request_head("POST", "/small-buffer",
                              [*signed.headers, ("Transfer-Encoding", "chunked")])
        client.send(refused + second + chunk(signed.body) + b"0\r\n\r\n")
        assert client.read_response().outcome == (401, "refused")
        assert client.read_response().outcome == (200, "accepted")
