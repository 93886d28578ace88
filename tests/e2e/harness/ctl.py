"""Calls of webhookctl."""

import json
import subprocess
from pathlib import Path

from .settings import WEBHOOKCTL, processor_environment


def webhookctl(*arguments: str, code: int = 0) -> bytes:
    """Its standard output; an error when it ends with another code."""
    done = subprocess.run(
        [str(WEBHOOKCTL), *arguments], env=processor_environment(), capture_output=True, timeout=60
    )
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def events(socket: Path, *filters: str) -> list[dict]:
    return json.loads(webhookctl("--socket", str(socket), "--json", "events", "list", *filters))


def count_events(socket: Path) -> int:
    output = webhookctl("--socket", str(socket), "--json", "events", "count")
    return json.loads(output)["count"]


def payload(socket: Path, inbox_id: str) -> bytes:
    return webhookctl("--socket", str(socket), "events", "show", inbox_id, "--raw")
