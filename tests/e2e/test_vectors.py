"""Vectors that providers and their SDKs publish, then each one altered (R61)."""

import base64
import json

import pytest

from harness.ctl import webhookctl
from harness.settings import PROVIDERS, REPO

REASONS = {"mismatch": "signature_mismatch", "stale": "stale"}


def load() -> list[dict]:
    return [
        {"provider": file.stem, **vector}
        for file in sorted((REPO / "tests" / "vectors").glob("*.json"))
        for vector in json.loads(file.read_text())
    ]


# A secret file's words are split at blanks: a secret that holds one cannot be
# written there, and is refused rather than cut.
ALL = load()
BLANK = [vector for vector in ALL if " " in vector["secret"]]
VECTORS = [vector for vector in ALL if vector not in BLANK]
VALID = [vector for vector in VECTORS if vector["expect"] == "valid"]


def replace_once(text, old, new):
    assert text.count(old) == 1
    return text.replace(old, new)


def with_header(vector: dict, name: str, alter) -> dict:
    return {**vector, "headers": {**vector["headers"], name: alter(vector["headers"][name])}}


def with_body(vector: dict, alter) -> dict:
    body = base64.b64decode(vector["body"])
    altered = alter(body)
    assert altered != body
    return {**vector, "body": base64.b64encode(altered).decode()}


def next_second(vector: dict, name: str) -> dict:
    """Within the window, so that only the signature can refuse it."""
    old = str(vector["now"])
    if vector["provider"] == "stripe":
        old = vector["headers"][name].split(",")[0].removeprefix("t=")
    return with_header(vector, name, lambda text: replace_once(text, old, str(int(old) + 1)))


def alterations(vector: dict) -> dict[str, dict]:
    altered = {
        "byte": with_body(vector, lambda body: body[:-1] + bytes([body[-1] ^ 1])),
        "space": with_body(vector, lambda body: body + b" "),
    }
    provider = vector["provider"]
    if provider == "stripe":
        altered["id"] = with_body(vector, lambda b: replace_once(b, b'"evt_123"', b'"evt_124"'))
        altered["time"] = next_second(vector, "Stripe-Signature")
    elif provider == "standard-webhooks":
        altered["id"] = with_header(vector, "webhook-id", lambda text: text + "x")
        altered["time"] = next_second(vector, "webhook-timestamp")
    elif provider == "slack":
        altered["time"] = next_second(vector, "X-Slack-Request-Timestamp")
    return altered


ALTERED = [
    pytest.param(altered, id=f"{vector['name']}-{what}")
    for vector in VALID for what, altered in alterations(vector).items()
]


def verify(vector: dict, folder, code: int) -> bytes:
    secret = folder / "secret"
    body = folder / "body"
    secret.write_text(f"v1 {vector['secret']}\n")
    body.write_bytes(base64.b64decode(vector["body"]))
    headers = [word for name, value in vector["headers"].items()
               for word in ("--header", f"{name}: {value}")]
    return webhookctl(
        "verify", vector["provider"], "--providers", str(PROVIDERS), "--secret-file", str(secret),
        "--now", str(vector["now"]), "--method", vector["method"], "--url", vector["url"],
        *headers, "--body-file", str(body), code=code,
    )


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_r61_published_vector(tmp_path, vector):
    valid = vector["expect"] == "valid"
    verdict = json.loads(verify(vector, tmp_path, code=0 if valid else 1))
    assert verdict["valid"] is valid
    if valid:
        assert verdict["secret_version"] == "v1"
    else:
        assert verdict["reason"] == REASONS[vector["reason"]]


@pytest.mark.parametrize("vector", ALTERED)
def test_r61_altered_vector(tmp_path, vector):
    verdict = json.loads(verify(vector, tmp_path, code=1))
    assert verdict["valid"] is False
    assert verdict["reason"] == "signature_mismatch"


@pytest.mark.parametrize("vector", BLANK, ids=lambda vector: vector["name"])
def test_secret_with_a_blank_is_misuse(tmp_path, vector):
    assert verify(vector, tmp_path, code=2) == b""


@pytest.mark.parametrize("arguments", [
    ["verify", "no-such-provider", "--secret-file", "/dev/null"],
    ["verify", "stripe"],
    ["verify", "stripe", "--secret-file", "/nonexistent"],
])
def test_misuse_is_told_apart(arguments):
    assert webhookctl(*arguments, "--providers", str(PROVIDERS), code=2) == b""
