"""The providers' own Node packages: signing, and verifying what we sign."""

import base64
import json
import subprocess
from dataclasses import dataclass

from .settings import SDK


@dataclass
class Delivery:
    signer: str
    provider: str
    secret: str
    headers: list[tuple[str, str]]
    body: bytes
    event_id: str
    event_type: str


def sign(signer: str, copies: int = 1) -> list[Delivery]:
    """GitHub's 329 example payloads, each `copies` times as a new event."""
    output = subprocess.run(
        ["node", "sign.mjs", signer, str(copies)], cwd=SDK, check=True, capture_output=True
    ).stdout
    deliveries = []
    for line in output.splitlines():
        fields = json.loads(line)
        fields["headers"] = list(fields["headers"].items())
        fields["body"] = base64.b64decode(fields.pop("body_base64"))
        deliveries.append(Delivery(**fields))
    return deliveries


class Receiver:
    """Answers 200 to what the provider's package calls valid, 401 to the rest."""

    def __init__(self, provider: str, secret: str):
        self._process = subprocess.Popen(
            ["node", "receiver.mjs", provider, secret],
            cwd=SDK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        self.url = f"http://127.0.0.1:{int(self._process.stdout.readline())}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Its standard input ends, so it does.
        self._process.communicate(timeout=20)
