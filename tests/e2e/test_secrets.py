"""Current, previous, future and retired secrets, and a rotation by reload
(R12, R18, R61)."""

import time
from datetime import datetime, timedelta, timezone

from harness import signing
from harness.endpoint import Endpoint
from harness.http1 import post
from harness.waiting import wait_until

OLD = "whsec_the_old_secret"
NEW = "whsec_the_new_secret"


def in_seconds(seconds: float) -> str:
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def answer_to(stack, secret: str):
    signed = signing.stripe(secret)
    return post(stack.nginx.port, "/stripe", signed.headers, signed.body)


def version_of(stack, secret: str) -> str:
    signed = signing.stripe(secret)
    answer, entry = stack.post_logged("/stripe", signed.headers, signed.body)
    assert answer.outcome == (200, "accepted")
    return entry["secret_version"]


def write_and_reload(stack, *lines: str) -> None:
    endpoint = stack.endpoints["stripe"]
    endpoint.secret_lines = list(lines)
    endpoint.write_secret(stack.root)
    stack.secrets.update(endpoint.secrets)
    stack.nginx.reload()


def test_r18_r61_planned_rotation(own_stack):
    """Both count while they overlap; the old one ends by itself."""
    stack = own_stack([Endpoint("stripe", OLD)])
    assert answer_to(stack, NEW).status == 401
    write_and_reload(stack, f"v2 {NEW}", f"v1 {OLD} until={in_seconds(4)}")
    assert version_of(stack, NEW) == "v2"
    assert version_of(stack, OLD) == "v1"
    wait_until(lambda: answer_to(stack, OLD).status == 401, "the old secret to end", 8)
    assert version_of(stack, NEW) == "v2"


def test_r18_emergency_removal(own_stack):
    stack = own_stack([Endpoint("stripe", OLD)])
    write_and_reload(stack, f"v2 {NEW}")
    assert answer_to(stack, OLD).status == 401
    assert version_of(stack, NEW) == "v2"


def test_r18_a_secret_of_tomorrow_does_not_count_today(own_stack):
    stack = own_stack([Endpoint("stripe", OLD, secret_lines=[
        f"v2 {NEW} from={in_seconds(4)}", f"v1 {OLD} until={in_seconds(86400)}"])])
    assert answer_to(stack, NEW).status == 401
    assert version_of(stack, OLD) == "v1"
    time.sleep(4)
    assert version_of(stack, NEW) == "v2"


def test_r19_no_secret_valid_now_is_503(own_stack):
    stack = own_stack([Endpoint("stripe", OLD, secret_lines=[
        "# only for a moment", f"v1 {OLD} until={in_seconds(3)}"])])
    assert version_of(stack, OLD) == "v1"
    wait_until(lambda: answer_to(stack, OLD).status == 503, "the only secret to end", 8)
    answer = answer_to(stack, OLD)
    assert answer.outcome == (503, "unavailable")
    assert answer.header("Retry-After") == "5"
