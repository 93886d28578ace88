"""Our signing and verifying against the providers' own packages (R52, R61).

That NGINX accepts what the packages sign is in test_real_payloads.py.
"""

import json

import pytest

from harness import sdk
from harness.ctl import webhookctl
from harness.endpoint import Endpoint
from harness.settings import PROVIDERS

SECRETS = {
    "github": "a-secret-that-github-knows",
    "stripe": "whsec_a_secret_that_stripe_knows",
    "slack": "8f742231b10e8888abcd99yyyzzz85a5",
    "shopify": "hush-hush-hush-hush-hush",
    "standard-webhooks": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
}
SAMPLES = 12


@pytest.fixture
def secret_file(tmp_path):
    def write(secret: str):
        file = tmp_path / "secret"
        file.write_text(f"v7 {secret}\n")
        return str(file)
    return write


def send(provider: str, url: str, secret_file: str, *options: str, code: int = 0) -> list[dict]:
    output = webhookctl("--json", "send", provider, "--url", url, "--secret-file", secret_file,
                        "--providers", str(PROVIDERS), *options, code=code)
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.parametrize("signer", [
    "octokit", "stripe", "standardwebhooks", "svix", "slack", "shopify",
])
def test_r61_webhookctl_verifies_what_the_sdk_signs(tmp_path, secret_file, signer):
    deliveries = sdk.sign(signer)
    for delivery in deliveries[::len(deliveries) // SAMPLES]:
        body = tmp_path / "body"
        body.write_bytes(delivery.body)
        headers = [word for name, value in delivery.headers
                   for word in ("--header", f"{name}: {value}")]
        verdict = json.loads(webhookctl(
            "verify", delivery.provider, "--providers", str(PROVIDERS),
            "--secret-file", secret_file(delivery.secret), *headers, "--body-file", str(body),
        ))
        assert verdict["valid"] is True
        assert verdict["event_id"] == delivery.event_id
        assert verdict["event_type"] == delivery.event_type
        assert verdict["secret_version"] == "v7"


@pytest.mark.parametrize("provider", ["github", "stripe", "standard-webhooks"])
def test_r52_the_sdk_verifies_what_webhookctl_sends(tmp_path, secret_file, provider):
    secret = SECRETS[provider]
    body = tmp_path / "body"
    body.write_text('{"id": "evt_own", "type": "größer 🪝", "data": {}}')
    with sdk.Receiver(provider, secret) as receiver:
        file = secret_file(secret)
        sent = send(provider, receiver.url, file, "--count", "2")
        sent += send(provider, receiver.url, file, "--body-file", str(body))
        assert [line["status"] for line in sent] == [200, 200, 200]


@pytest.mark.parametrize("provider", ["github", "stripe", "standard-webhooks"])
def test_r52_the_sdk_refuses_another_secret(secret_file, provider):
    secret = SECRETS[provider]
    with sdk.Receiver(provider, secret) as receiver:
        other = secret_file(secret.replace("S", "T") if "MfKQ" in secret else f"{secret}x")
        sent = send(provider, receiver.url, other, code=1)
        assert [line["status"] for line in sent] == [401]


@pytest.fixture(scope="module")
def stack(shared_stack):
    return shared_stack([Endpoint(provider, secret) for provider, secret in SECRETS.items()])


@pytest.mark.parametrize("provider", sorted(SECRETS))
def test_r52_nginx_accepts_what_webhookctl_sends(stack, secret_file, provider):
    url = f"http://127.0.0.1:{stack.nginx.port}/{provider}"
    file = secret_file(SECRETS[provider])
    sent = send(provider, url, file, "--count", "2")
    assert [(line["status"], line["decision"]) for line in sent] == [(200, "accepted")] * 2
    own_id = ["--event-id", f"own-{provider}"]
    decisions = [send(provider, url, file, *own_id)[0]["decision"] for _ in range(2)]
    assert decisions == ["accepted", "duplicate"]
