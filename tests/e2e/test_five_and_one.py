"""The same event five times, then once more after the window: one row, quick
duplicate answers, one clean refusal (R60)."""

import time

import pytest

from harness import signing
from harness.ctl import events
from harness.endpoint import Endpoint
from harness.http1 import Http1
from harness.settings import SLOWNESS

STRIPE_SECRET = "whsec_five_and_one_secret"
SLACK_SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
QUICK_S = 0.25 * SLOWNESS


@pytest.fixture(scope="module")
def stack(shared_stack):
    return shared_stack([
        Endpoint("stripe", STRIPE_SECRET),
        Endpoint("slack", SLACK_SECRET),
        Endpoint("standard-webhooks", WHSEC),
    ])


@pytest.mark.parametrize("provider,sign", [
    ("stripe", lambda **options: signing.stripe(STRIPE_SECRET, **options)),
    ("slack", lambda **options: signing.slack(SLACK_SECRET, **options)),
    ("standard-webhooks", lambda **options: signing.standard_webhooks(WHSEC, **options)),
])
def test_r60_five_and_one(stack, provider, sign):
    now = int(time.time())
    first = sign()
    outcomes, durations = [], []
    with Http1(stack.nginx.port) as client:
        for attempt in range(5):
            # Providers sign each attempt anew.
            signed = sign(event_id=first.event_id, at=now + attempt, body=first.body)
            begin = time.monotonic()
            outcomes.append(client.post(f"/{provider}", signed.headers, signed.body).outcome)
            durations.append(time.monotonic() - begin)
        late = sign(event_id=first.event_id, at=now - 301, body=first.body)
        refusal = client.post(f"/{provider}", late.headers, late.body)
    assert outcomes == [(200, "accepted")] + [(200, "duplicate")] * 4
    assert max(durations[1:]) < QUICK_S
    assert refusal.outcome == (401, "refused")
    row, = events(stack.processor.admin, "--event-id", first.event_id)
    assert row["status"] == "RECEIVED"
    assert row["steps_left"] == 1
