"""The processor dies just before and just after the commit (R4, R63). Needs a
build with fault points."""

import pytest

from harness import signing
from harness.ctl import events
from harness.endpoint import Endpoint
from harness.http1 import post

SECRET = "whsec_of_the_crash_tests"


@pytest.mark.parametrize("point,retry", [
    # Durable, but nobody was told: the retry meets its own row.
    ("after_commit", "duplicate"),
    ("before_commit", "accepted"),
    ("after_frame_read", "accepted"),
])
def test_r63_killed_around_the_commit(own_stack, point, retry):
    stack = own_stack([Endpoint("stripe", SECRET)], start=False)
    stack.processor.start(fault=f"{point}:kill")
    stack.nginx.start()
    signed = signing.stripe(SECRET)

    def deliver():
        return post(stack.nginx.port, "/stripe", signed.headers, signed.body)

    answer = deliver()
    assert answer.outcome == (503, "unavailable")
    assert answer.header("Retry-After") == "5"
    assert stack.processor.daemon.wait() == -9
    stack.processor.start()
    assert deliver().outcome == (200, retry)
    assert deliver().outcome == (200, "duplicate")
    row, = events(stack.processor.admin)
    assert row["event_id"] == signed.event_id
    stack.stop()
    assert stack.rows("inbox") == stack.rows("outbox") == stack.rows("payload") == 1


def test_r63_killed_after_the_answer(own_stack):
    stack = own_stack([Endpoint("stripe", SECRET)], start=False)
    stack.processor.start(fault="after_answer:kill")
    stack.nginx.start()
    signed = signing.stripe(SECRET)
    first = post(stack.nginx.port, "/stripe", signed.headers, signed.body)
    assert first.outcome == (200, "accepted")
    assert stack.processor.daemon.wait() == -9
    stack.processor.start()
    again = post(stack.nginx.port, "/stripe", signed.headers, signed.body)
    assert again.outcome == (200, "duplicate")


def test_r3_failed_commit_is_unavailable(own_stack):
    """The store says no: 503, nothing stored, and the next try is accepted."""
    stack = own_stack([Endpoint("stripe", SECRET)], start=False)
    stack.processor.start(fault="before_commit:error")
    stack.nginx.start()
    signed = signing.stripe(SECRET)
    answer = post(stack.nginx.port, "/stripe", signed.headers, signed.body)
    assert answer.outcome == (503, "unavailable")
    assert events(stack.processor.admin) == []
    answer = post(stack.nginx.port, "/stripe", signed.headers, signed.body)
    assert answer.outcome == (200, "accepted")
