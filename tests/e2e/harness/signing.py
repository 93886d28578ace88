"""The providers' schemes once more, from their documentation, for signing
whatever a test needs."""

import base64
import hashlib
import hmac
import json
import time
import uuid
from dataclasses import dataclass, field

JSON_TYPE = ("Content-Type", "application/json")


@dataclass
class Signed:
    headers: list[tuple[str, str]]
    body: bytes
    event_id: str

    def replaced(self, name: str, value: str) -> list[tuple[str, str]]:
        """The headers with another value of one."""
        assert any(key == name for key, _ in self.headers)
        return [(key, value if key == name else old) for key, old in self.headers]

    def without(self, name: str) -> list[tuple[str, str]]:
        assert any(key == name for key, _ in self.headers)
        return [(key, value) for key, value in self.headers if key != name]

    def value(self, name: str) -> str:
        return dict(self.headers)[name]


def mac(key: bytes, *parts: bytes) -> "hmac.HMAC":
    return hmac.new(key, b"".join(parts), hashlib.sha256)


def new_id(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex}"


def stripe(secret: str, event_id: str | None = None, at: int | None = None,
           body: bytes | None = None, **fields) -> Signed:
    event_id = event_id or new_id("evt")
    at = int(time.time()) if at is None else at
    if body is None:
        event = {"id": event_id, "object": "event", "type": "charge.succeeded",
                 "created": at, "data": {"object": {"id": "ch_1"}}, **fields}
        body = json.dumps(event).encode()
    signature = mac(secret.encode(), f"{at}.".encode(), body).hexdigest()
    return Signed([JSON_TYPE, ("Stripe-Signature", f"t={at},v1={signature}")], body, event_id)


def github(secret: str, event_id: str | None = None, body: bytes | None = None) -> Signed:
    event_id = event_id or str(uuid.uuid4())
    if body is None:
        body = json.dumps({"action": "opened", "number": uuid.uuid4().hex}).encode()
    return Signed([
        JSON_TYPE, ("X-GitHub-Delivery", event_id), ("X-GitHub-Event", "issues"),
        ("X-Hub-Signature-256", f"sha256={mac(secret.encode(), body).hexdigest()}"),
    ], body, event_id)


def standard_webhooks(secret: str, event_id: str | None = None, at: int | None = None,
                      body: bytes | None = None) -> Signed:
    event_id = event_id or new_id("msg")
    at = int(time.time()) if at is None else at
    if body is None:
        body = json.dumps({"type": "user.created", "data": {"id": "user_1"}}).encode()
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signature = mac(key, f"{event_id}.{at}.".encode(), body).digest()
    return Signed([
        JSON_TYPE, ("webhook-id", event_id), ("webhook-timestamp", str(at)),
        ("webhook-signature", f"v1,{base64.b64encode(signature).decode()}"),
    ], body, event_id)


def slack(secret: str, event_id: str | None = None, at: int | None = None,
          body: bytes | None = None) -> Signed:
    event_id = event_id or new_id("Ev")
    at = int(time.time()) if at is None else at
    if body is None:
        body = json.dumps({"type": "event_callback", "team_id": "T1", "event_id": event_id,
                           "event_time": at, "event": {"type": "app_mention"}}).encode()
    signature = mac(secret.encode(), f"v0:{at}:".encode(), body).hexdigest()
    return Signed([JSON_TYPE, ("X-Slack-Request-Timestamp", str(at)),
                   ("X-Slack-Signature", f"v0={signature}")], body, event_id)


def shopify(secret: str, event_id: str | None = None, body: bytes | None = None) -> Signed:
    event_id = event_id or str(uuid.uuid4())
    if body is None:
        body = json.dumps({"id": 1, "note": uuid.uuid4().hex}).encode()
    signature = base64.b64encode(mac(secret.encode(), body).digest()).decode()
    return Signed([
        JSON_TYPE, ("X-Shopify-Webhook-Id", event_id), ("X-Shopify-Topic", "orders/create"),
        ("X-Shopify-Shop-Domain", "example.myshopify.com"), ("X-Shopify-Hmac-Sha256", signature),
    ], body, event_id)


# Every field in a header, so that any bytes can be a body.
PLAIN_PROVIDER = """
    webhook_provider plain {
        signature   header:X-Plain-Signature;
        signed      "{header:X-Plain-Id}.{body}";
        algorithm   hmac-sha256 hex;
        secret      utf8;
        event_id    header:X-Plain-Id;
        event_type  header:X-Plain-Type unsigned;
    }
"""


def plain(secret: str, body: bytes, event_id: str | None = None) -> Signed:
    event_id = event_id or new_id("plain")
    signature = mac(secret.encode(), f"{event_id}.".encode(), body).hexdigest()
    return Signed([("X-Plain-Id", event_id), ("X-Plain-Type", "blob"),
                   ("X-Plain-Signature", signature)], body, event_id)
