"""A captured request, sent again: GitHub and Shopify do not sign the event's id,
so a copy can come with another one (R17, R31)."""

import pytest

from harness import signing
from harness.ctl import count_events, events
from harness.endpoint import Endpoint
from harness.http1 import post
from harness.stores import PostgresDatabase

SECRET = "secret_of_the_replay_tests"
MAKERS = {"github": signing.github, "shopify": signing.shopify}
ID_HEADER = {"github": "X-GitHub-Delivery", "shopify": "X-Shopify-Webhook-Id"}


@pytest.fixture(params=["sqlite", "postgres"], scope="module")
def stack(request, shared_stack):
    store = None
    if request.param == "postgres":
        store = PostgresDatabase(request.getfixturevalue("postgres_server"), "replay")
    yield shared_stack([Endpoint(name, SECRET) for name in MAKERS], store=store)


def with_id(signed: signing.Signed, provider: str, event_id: str):
    return [(name, event_id if name == ID_HEADER[provider] else value)
            for name, value in signed.headers]


@pytest.mark.parametrize("provider", MAKERS)
def test_r31_a_fresh_id_makes_no_new_event(stack, provider):
    signed = MAKERS[provider](SECRET)
    path = f"/{provider}"
    before = count_events(stack.processor.admin)
    first, _ = stack.post_logged(path, signed.headers, signed.body)
    assert first.outcome == (200, "accepted")
    for fresh in ("fresh-1", "fresh-2", "fresh-1"):
        answer, entry = stack.post_logged(path, with_id(signed, provider, fresh), signed.body)
        assert answer.outcome == (200, "duplicate")
        assert entry["reason"] == "replayed"
    answer, entry = stack.post_logged(path, signed.headers, signed.body)
    assert answer.outcome == (200, "duplicate"), "a real redelivery"
    assert entry["reason"] == "duplicate"
    assert count_events(stack.processor.admin) == before + 1


def test_r31_another_type_does_not_make_it_new(stack):
    """GitHub's event name is outside the signature as well."""
    signed = signing.github(SECRET)
    post(stack.nginx.port, "/github", signed.headers, signed.body)
    headers = [(name, "push" if name == "X-GitHub-Event" else value)
               for name, value in with_id(signed, "github", "fresh")]
    assert post(stack.nginx.port, "/github", headers, signed.body).outcome == (200, "duplicate")
    stored, = [event for event in events(stack.processor.admin)
               if event["event_id"] == signed.event_id]
    assert stored["event_type"].startswith("issues")
