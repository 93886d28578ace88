"""What each kind of request is answered, in which order, and what of it may be
seen in a log (R3, R10, R13, R15, R22, R51)."""

import json
import time

import pytest

from harness import signing
from harness.ctl import count_events
from harness.endpoint import Endpoint
from harness.http1 import Http1, post
from harness.http2 import Http2
from harness.response import pieces_of

SECRET = "recognisable-secret-of-stripe"
WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MARKER = "recognisable-payload-4711"
LIMIT = 64 * 1024
LIMITED = f"webhook_max_body {LIMIT}; client_max_body_size 2m;"


@pytest.fixture(scope="module")
def stack(shared_stack):
    stack = shared_stack([
        Endpoint("stripe", SECRET, directives=LIMITED),
        Endpoint("stripe", SECRET, name="tls", https="on"),
        Endpoint("standard-webhooks", WHSEC, directives=LIMITED),
        Endpoint("slack", SECRET),
    ])
    stack.secrets.add(MARKER)
    return stack


def event(**options) -> signing.Signed:
    return signing.stripe(SECRET, note=MARKER, **options)


def standard(**options) -> signing.Signed:
    body = json.dumps({"type": "user.created", "note": MARKER}).encode()
    return signing.standard_webhooks(WHSEC, body=body, **options)


def with_header(signed: signing.Signed, name: str, value: str):
    return [*signed.headers, (name, value)]


def seconds_from_now(seconds: int) -> int:
    return int(time.time()) + seconds


# name: (path, headers, body, status, reason)
def refusals() -> dict[str, tuple]:
    good, std = event(), standard()
    signature = good.value("Stripe-Signature")
    std_signature = std.value("webhook-signature")
    too_large = b"x" * (LIMIT + 1)
    late, early = event(at=seconds_from_now(-600)), event(at=seconds_from_now(600))
    no_id = signing.stripe(SECRET, body=b'{"type": "x"}')
    not_json = signing.stripe(SECRET, body=b'{"id": "evt_1", "type": "x"')
    long_id = event(event_id="e" * 256)
    type_only = [("Content-Type", "application/json")]
    return {
        "plain http": ("/tls", good.headers, good.body, 403, "https_required"),
        "claimed https": ("/tls", with_header(good, "X-Forwarded-Proto", "https"), good.body,
                          403, "https_required"),
        "content type": ("/stripe", good.replaced("Content-Type", "text/plain"), good.body,
                         415, "content_type"),
        "no content type": ("/stripe", good.without("Content-Type"), good.body,
                            415, "content_type"),
        "content encoding": ("/stripe", with_header(good, "Content-Encoding", "gzip"), good.body,
                             415, "content_encoding"),
        "doubled signature": ("/stripe", with_header(good, "stripe-SIGNATURE", signature),
                              good.body, 400, "header_doubled"),
        "doubled id": ("/standard-webhooks", with_header(std, "Webhook-Id", "msg_other"),
                       std.body, 400, "header_doubled"),
        "doubled time": ("/standard-webhooks", with_header(std, "WEBHOOK-TIMESTAMP", "1"),
                         std.body, 400, "header_doubled"),
        "oversized signature": ("/stripe", good.replaced("Stripe-Signature",
                                                         signature + ",v0=" + "0" * 5000),
                                good.body, 400, "header_oversized"),
        "non-ASCII id": ("/standard-webhooks", std.replaced("webhook-id", "msg_\xe9"),
                         std.body, 400, "header_malformed"),
        "signature is no hex": ("/stripe", good.replaced("Stripe-Signature", "t=1,v1=xyz"),
                                good.body, 400, "signature_malformed"),
        "short signature": ("/standard-webhooks", std.replaced("webhook-signature", "v1,aGk="),
                            std.body, 400, "signature_malformed"),
        "time is no number": ("/standard-webhooks", std.replaced("webhook-timestamp", "soon"),
                              std.body, 400, "timestamp_malformed"),
        "too large": ("/stripe", good.headers, too_large, 413, "body_too_large"),
        "no signature": ("/stripe", good.without("Stripe-Signature"), good.body,
                         401, "signature_missing"),
        "other scheme": ("/standard-webhooks",
                         std.replaced("webhook-signature", std_signature.replace("v1,", "v1a,")),
                         std.body, 401, "signature_scheme"),
        "no id": ("/standard-webhooks", std.without("webhook-id"), std.body,
                  401, "signed_header_missing"),
        "altered body": ("/stripe", good.headers, good.body + b" ", 401, "signature_mismatch"),
        "altered id": ("/standard-webhooks", std.replaced("webhook-id", "msg_other"), std.body,
                       401, "signature_mismatch"),
        "stale": ("/stripe", late.headers, late.body, 401, "stale"),
        "future": ("/stripe", early.headers, early.body, 401, "future"),
        "stale and altered": ("/stripe", late.headers, late.body + b" ",
                              401, "signature_mismatch"),
        "no JSON": ("/stripe", not_json.headers, not_json.body, 422, "body_malformed"),
        "no event id": ("/stripe", no_id.headers, no_id.body, 422, "event_id_missing"),
        "event id too long": ("/stripe", long_id.headers, long_id.body, 422, "field_invalid"),
        # Of two faults the one that comes first in the order is told.
        "plain http before type": ("/tls", [], b"", 403, "https_required"),
        "type before doubled": ("/stripe", [("Stripe-Signature", "t=1"),
                                            ("Stripe-Signature", "t=1")], b"",
                                415, "content_type"),
        "doubled before size": ("/stripe", with_header(good, "Stripe-Signature", signature),
                                too_large, 400, "header_doubled"),
        "size before missing": ("/stripe", type_only, too_large, 413, "body_too_large"),
    }


REFUSALS = refusals()


def stored(stack) -> int:
    return count_events(stack.processor.admin)


@pytest.mark.parametrize("name", REFUSALS)
def test_r3_r10_refusal(stack, name):
    """Its status and reason; nothing stored; one line in the error log."""
    path, headers, body, status, reason = REFUSALS[name]
    rows = stored(stack)
    line = f"webhook refused: {reason},"
    lines = len(stack.nginx.errors(line))
    answer, entry = stack.post_logged(path, headers, body)
    assert answer.outcome == (status, "refused")
    assert answer.header("Retry-After") is None
    assert MARKER.encode() not in answer.body
    assert (entry["status"], entry["decision"], entry["reason"]) == (
        str(status), "refused", reason)
    assert len(stack.nginx.errors(line)) == lines + 1
    assert stored(stack) == rows


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH"])
def test_r10_only_post(stack, method):
    """Before the content type, after HTTPS."""
    with Http1(stack.nginx.port) as client:
        answer = client.request(method, "/stripe", [])
        assert answer.outcome == (405, "refused")
    with Http1(stack.nginx.port) as client:
        assert client.request(method, "/tls", []).status == 403


def test_r10_too_large_while_streaming(stack):
    """Chunked, and HTTP/2 with and without Content-Length."""
    good = event()
    body = b"x" * (LIMIT + 1)
    with Http1(stack.nginx.port) as client:
        answer = client.post("/stripe", good.headers, body, pieces=pieces_of(body, 1000))
        assert answer.outcome == (413, "refused")
    for content_length in (True, False):
        with Http2(stack.nginx.h2_port) as client:
            answer = client.post("/stripe", good.headers, body, pieces_of(body, 1000),
                                 content_length)
            assert answer.outcome == (413, "refused")


def test_r3_mismatch_and_stale_look_the_same(stack):
    answers = []
    for name in ("altered body", "stale", "future", "no signature"):
        path, headers, body, *_ = REFUSALS[name]
        answer = post(stack.nginx.port, path, headers, body)
        answers.append((answer.status, answer.body,
                        [pair for pair in answer.headers if pair[0] != "date"]))
    assert all(answer == answers[0] for answer in answers)


def test_r13_window_is_the_providers_and_includes_its_edge(stack):
    for seconds, status in ((-290, 200), (290, 200), (-310, 401), (310, 401)):
        signed = event(at=seconds_from_now(seconds))
        assert post(stack.nginx.port, "/stripe", signed.headers, signed.body).status == status


def test_r10_no_100_continue_for_what_headers_refuse(stack):
    with Http1(stack.nginx.port) as client:
        client.send(b"POST /stripe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                    b"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n")
        assert client.socket.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_r22_variables_of_an_accepted_event(stack):
    good = event(at=seconds_from_now(-30))
    first, second = (stack.post_logged("/stripe", good.headers, good.body)[1] for _ in range(2))
    assert (first["decision"], first["reason"]) == ("accepted", "accepted")
    assert (second["decision"], second["reason"]) == ("duplicate", "duplicate")
    for entry in (first, second):
        assert entry["event_id"] == good.event_id
        assert entry["event_type"] == "charge.succeeded"
        assert entry["tenant"] == "default"
        assert entry["secret_version"] == "v1"
        assert 29 <= abs(float(entry["clock_skew"])) <= 33
        assert 0 <= float(entry["processor_time"]) < 5
    assert first["inbox_id"] == second["inbox_id"]
    assert len(first["inbox_id"]) == 36


def test_r17_slack_handshake_needs_the_signature(stack):
    body = b'{"type": "url_verification", "challenge": "3eZbrw1aB"}'
    signed = signing.slack(SECRET, body=body)
    rows = stored(stack)
    answer = post(stack.nginx.port, "/slack", signed.headers, body)
    assert answer.outcome == (200, "handshake")
    assert answer.body == b"3eZbrw1aB"
    answer = post(stack.nginx.port, "/slack", signed.headers, body + b" ")
    assert answer.outcome == (401, "refused")
    assert b"3eZbrw1aB" not in answer.body
    assert stored(stack) == rows


def test_r3_processor_down_is_503_with_retry_after(own_stack):
    stack = own_stack([Endpoint("stripe", SECRET)])
    good = event()
    assert stack.processor.stop() == 0
    answer = post(stack.nginx.port, "/stripe", good.headers, good.body)
    assert answer.outcome == (503, "unavailable")
    assert answer.header("Retry-After") == "5"
    stack.processor.start()
    answer = post(stack.nginx.port, "/stripe", good.headers, good.body)
    assert answer.outcome == (200, "accepted")
