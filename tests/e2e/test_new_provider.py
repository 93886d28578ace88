"""A provider that no preset knows needs configuration, not code (R16)."""

import base64
import hashlib
import hmac
import json
import time

import pytest

from harness import signing
from harness.ctl import events
from harness.endpoint import Endpoint
from harness.http1 import post

SECRET = "a-secret-that-is-long-enough"
PROVIDER = """
    webhook_provider own {
        signature   header:X-Own-Signature "list=;" kv=: key=s1;
        timestamp   header:X-Own-Time unit=ms;
        signed      "{ts}|{body}";
        algorithm   hmac-sha512 base64;
        secret      hex;
        tolerance   1m 30s;
        event_id    concat(json:/source,json:/meta/id);
        event_type  json:/meta/kind;
        created_at  json:/at unit=rfc3339;
    }
"""


@pytest.fixture(scope="module")
def stack(shared_stack):
    return shared_stack([Endpoint("own", SECRET.encode().hex())], http=PROVIDER)


def sign(meta: dict, at_s: float = 0) -> signing.Signed:
    at = str(int((time.time() + at_s) * 1000))
    body = json.dumps({"source": "a:b", "meta": meta, "at": "2026-01-02T03:04:05.678Z"}).encode()
    mac = hmac.new(SECRET.encode(), f"{at}|".encode() + body, hashlib.sha512).digest()
    signature = f"s0:AAAA;s1:{base64.b64encode(mac).decode()}"
    return signing.Signed([("X-Own-Signature", signature), ("X-Own-Time", at)], body, "")


def test_r16_accepted_with_its_fields(stack):
    signed = sign({"id": "own-1", "kind": "made"})
    assert post(stack.nginx.port, "/own", signed.headers, signed.body).outcome == (200, "accepted")
    row, = events(stack.processor.admin)
    # Parts carry their length, so that ("a:b", "c") is not ("a", "b:c").
    assert row["event_id"] == "3:a:b5:own-1"
    assert row["event_type"] == "made"
    assert row["created_at_ms"] == 1767323045678


@pytest.mark.parametrize("at_s,status", [(-59, 200), (-62, 401), (28, 200), (32, 401)])
def test_r13_its_own_window(stack, at_s, status):
    signed = sign({"id": f"window-{at_s}", "kind": "made"}, at_s)
    assert post(stack.nginx.port, "/own", signed.headers, signed.body).status == status


def test_r31_missing_part_of_the_id_is_refused(stack):
    signed = sign({"kind": "made"})
    assert post(stack.nginx.port, "/own", signed.headers, signed.body).outcome == (422, "refused")
