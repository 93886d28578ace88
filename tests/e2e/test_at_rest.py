"""What lies on the disk, and what it takes to read it (R33, R52)."""

import sqlite3

import pytest

from harness import signing
from harness.ctl import events, payload
from harness.endpoint import Endpoint
from harness.http1 import post

SECRET = "whsec_of_the_tests_at_rest"
MARKER = "recognisable-payload-at-rest"


@pytest.fixture
def stack(own_stack):
    return own_stack([Endpoint("stripe", SECRET)])


def deliver(stack) -> signing.Signed:
    signed = signing.stripe(SECRET, note=MARKER)
    headers = [*signed.headers, ("X-Kept", MARKER)]
    assert post(stack.nginx.port, "/stripe", headers, signed.body).outcome == (200, "accepted")
    return signed


def test_r33_payload_and_headers_are_encrypted(stack):
    signed = deliver(stack)
    while_running = b"".join(
        file.read_bytes() for file in stack.root.glob(f"{stack.processor.database.name}*"))
    stack.stop()
    after = stack.processor.database.read_bytes()
    assert signed.event_id.encode() in while_running and signed.event_id.encode() in after
    assert MARKER.encode() not in while_running + after
    assert SECRET.encode() not in while_running + after


def test_r33_payload_is_readable_after_a_restart(stack):
    signed = deliver(stack)
    assert stack.processor.stop() == 0
    stack.processor.start()
    row, = events(stack.processor.admin)
    assert payload(stack.processor.admin, row["inbox_id"]) == signed.body


def test_r33_another_key_ring_does_not_open_the_store(stack, tmp_path):
    deliver(stack)
    assert stack.processor.stop() == 0
    keys = stack.root / "keys"
    kept = keys.rename(tmp_path / "keys")
    with pytest.raises(AssertionError, match="ended while starting"):
        stack.processor.start()
    assert stack.processor.daemon.wait() != 0
    assert "key" in stack.processor.log.read_text().splitlines()[-1]
    keys.unlink(missing_ok=True)
    kept.rename(keys)
    stack.processor.start()
    assert len(events(stack.processor.admin)) == 1


def test_r52_reading_a_payload_is_recorded(stack):
    deliver(stack)
    row, = events(stack.processor.admin)
    payload(stack.processor.admin, row["inbox_id"])
    stack.stop()
    with sqlite3.connect(stack.processor.database) as store:
        rows = store.execute("SELECT hex(inbox_id), operator FROM operator_log").fetchall()
    assert [inbox_id for inbox_id, _ in rows] == [row["inbox_id"].replace("-", "").upper()]
    assert rows[0][1] != ""
