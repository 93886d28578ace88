"""Hundreds of concurrent copies of one event: one row, one answer that says so
(R2, R62)."""

from collections import Counter

from harness import signing
from harness.endpoint import Endpoint
from harness.http1 import Http1, request_head

SECRET = "whsec_five_hundred_at_once"
COPIES = 500


def send_together(port: int, path: str, requests: list[signing.Signed]) -> Counter:
    """Everything but the last byte first, then all the last bytes in a row."""
    clients = [Http1(port, timeout=60) for _ in requests]
    data = [request_head("POST", path, [*signed.headers, ("Content-Length", len(signed.body))])
            + signed.body for signed in requests]
    for client, request in zip(clients, data):
        client.send(request[:-1])
    for client, request in zip(clients, data):
        client.send(request[-1:])
    outcomes = Counter(client.read_response().outcome for client in clients)
    for client in clients:
        client.close()
    return outcomes


def test_r62_five_hundred_copies(own_stack):
    stack = own_stack([Endpoint("stripe", SECRET, directives="webhook_timeout 20s;")])
    signed = signing.stripe(SECRET)
    outcomes = send_together(stack.nginx.port, "/stripe", [signed] * COPIES)
    assert outcomes == {(200, "accepted"): 1, (200, "duplicate"): COPIES - 1}
    stack.stop()
    assert stack.stored_ids() == [signed.event_id]
    assert stack.rows("inbox") == stack.rows("outbox") == stack.rows("payload") == 1


def test_r62_copies_of_several_events_mixed(own_stack):
    """Batches that hold an event and its copies, in every order."""
    stack = own_stack([Endpoint("stripe", SECRET, directives="webhook_timeout 20s;")])
    several = [signing.stripe(SECRET) for _ in range(10)]
    outcomes = send_together(stack.nginx.port, "/stripe", several * (COPIES // 10))
    assert outcomes == {(200, "accepted"): 10, (200, "duplicate"): COPIES - 10}
    stack.stop()
    assert sorted(stack.stored_ids()) == sorted(signed.event_id for signed in several)
