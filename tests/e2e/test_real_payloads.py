"""GitHub's 329 published payloads as events of every provider, signed by the
provider's own package, over every transport (R1, R2, R30, R33, R61)."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from harness import sdk
from harness.ctl import events, payload
from harness.endpoint import Endpoint
from harness.http1 import Http1
from harness.http2 import Http2
from harness.response import Response, pieces_of

PAYLOADS = 329
SIGNERS = ("octokit", "stripe", "standardwebhooks", "svix", "slack", "shopify")
TRANSPORTS = ("content-length", "chunked", "http2")


class Deliveries:
    """All that is sent in this file, signed when the file starts."""

    def __init__(self):
        # GitHub's go over each transport; the others' are spread over them.
        self.by_signer = {
            signer: sdk.sign(signer, len(TRANSPORTS) if signer == "octokit" else 1)
            for signer in SIGNERS
        }

    def with_transport(self, signer: str) -> list[tuple[sdk.Delivery, str]]:
        deliveries = self.by_signer[signer]
        if signer == "octokit":
            return [(d, TRANSPORTS[i // PAYLOADS]) for i, d in enumerate(deliveries)]
        return [(d, TRANSPORTS[i % len(TRANSPORTS)]) for i, d in enumerate(deliveries)]

    def of_provider(self, provider: str) -> dict[str, sdk.Delivery]:
        return {
            delivery.event_id: delivery
            for deliveries in self.by_signer.values()
            for delivery in deliveries if delivery.provider == provider
        }


@pytest.fixture(scope="module")
def deliveries():
    return Deliveries()


@pytest.fixture(scope="module")
def stack(shared_stack, deliveries):
    return shared_stack([
        Endpoint(of_signer[0].provider, of_signer[0].secret, name=signer)
        for signer, of_signer in deliveries.by_signer.items()
    ])


def pieces_through_a_character(body: bytes) -> list[bytes]:
    """The first cut is inside a character of four bytes."""
    cut = body.index("🪝".encode()) + 2
    return [body[:cut], *pieces_of(body[cut:], 1000)]


class Clients:
    def __init__(self, stack):
        self.h1 = Http1(stack.nginx.port)
        self.h2 = Http2(stack.nginx.h2_port)

    def post(self, delivery: sdk.Delivery, transport: str) -> Response:
        request = f"/{delivery.signer}", delivery.headers, delivery.body
        if transport == "content-length":
            return self.h1.post(*request)
        pieces = pieces_through_a_character(delivery.body)
        if transport == "chunked":
            return self.h1.post(*request, pieces=pieces)
        return self.h2.post(*request, pieces=pieces)

    def close(self):
        self.h1.close()
        self.h2.close()


@pytest.mark.parametrize("signer", SIGNERS)
def test_r1_r2_accepted_once_then_duplicate(stack, deliveries, signer):
    clients = Clients(stack)
    sent = deliveries.with_transport(signer)
    for expected in ((200, "accepted"), (200, "duplicate")):
        for delivery, transport in sent:
            answer = clients.post(delivery, transport)
            assert answer.outcome == expected, (delivery.event_id, transport)
            assert answer.body == b""
    clients.close()
    assert {transport for _, transport in sent} == set(TRANSPORTS)
    assert len(sent) == (3 if signer == "octokit" else 1) * PAYLOADS


@pytest.mark.parametrize("provider,every", [
    ("github", 1), ("stripe", 20), ("standard-webhooks", 20), ("slack", 20), ("shopify", 20),
])
def test_r30_r33_stored_byte_for_byte(stack, deliveries, provider, every):
    """Runs after the deliveries above, on what they left in the store."""
    rows = events(stack.processor.admin, "--provider", provider, "--limit", "1000")
    sent = deliveries.of_provider(provider)
    assert {row["event_id"]: row["event_type"] for row in rows} == {
        delivery.event_id: delivery.event_type for delivery in sent.values()
    }
    assert len(rows) == len(sent)

    def differs(row):
        return payload(stack.processor.admin, row["inbox_id"]) != sent[row["event_id"]].body

    with ThreadPoolExecutor(2) as pool:
        different = list(pool.map(differs, rows[::every]))
    assert len(different) >= 16
    assert not any(different)
