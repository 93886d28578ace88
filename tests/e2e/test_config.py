"""`nginx -t` refuses what is unsafe or contradicts itself, and says where it
stands and what to write (R12, R21)."""

import re

import pytest

from harness import signing

SECRET = "a-secret-that-is-long-enough"


class Location:
    """Directives of a location that is right until one of them is changed."""

    def __init__(self, stack):
        self._file = stack.root / "some.secret"
        self._directives = {
            "webhook": "stripe",
            "webhook_endpoint": "billing",
            "webhook_pass": f"unix:{stack.processor.link}",
            "webhook_secret_file": str(self._file),
        }
        self.secret(f"v1 {SECRET}")

    def secret(self, *lines: str) -> "Location":
        self._file.write_text("".join(f"{line}\n" for line in lines))
        return self

    def set(self, **directives: str) -> "Location":
        self._directives |= directives
        return self

    def without(self, name: str) -> "Location":
        del self._directives[name]
        return self

    def text(self, path: str = "/hook") -> str:
        lines = "\n".join(f"{name} {value};" for name, value in self._directives.items())
        return f"location = {path} {{\n{lines}\n}}\n"


def provider(*changes: tuple[str, str]) -> str:
    """PLAIN_PROVIDER with lines replaced."""
    text = signing.PLAIN_PROVIDER
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture
def stack(own_stack):
    return own_stack([], start=False)


def refuse(stack, locations: str, http: str = "") -> str:
    stack.nginx.configure(locations, http)
    done = stack.nginx.test()
    assert done.returncode != 0, done.stderr
    line, = [line for line in done.stderr.splitlines() if "[emerg]" in line]
    assert SECRET not in done.stderr
    stack.nginx.error_log.unlink(missing_ok=True)  # it holds the [emerg] that was wanted
    return line


def test_the_location_of_these_tests_is_right(stack):
    stack.nginx.configure(Location(stack).text(), signing.PLAIN_PROVIDER)
    done = stack.nginx.test()
    assert done.returncode == 0, done.stderr


# name: (what makes the location wrong, what the message must name)
WRONG = {
    "no endpoint": (lambda it: it.without("webhook_endpoint"), ["webhook_endpoint"]),
    "no pass": (lambda it: it.without("webhook_pass"), ["webhook_pass"]),
    "no secret": (lambda it: it.without("webhook_secret_file"), ["webhook_secret"]),
    "unknown provider": (lambda it: it.set(webhook="strpe"), ["strpe", "webhook_provider"]),
    "secret file missing": (lambda it: it.set(webhook_secret_file="/nonexistent"),
                            ["webhook_secret_file", "/nonexistent"]),
    "secret file empty": (lambda it: it.secret(), ["webhook_secret_file", "VERSION SECRET"]),
    "secret without version": (lambda it: it.secret(SECRET), ["line 1", "VERSION SECRET"]),
    "secret too short": (lambda it: it.secret("v1 fifteen-bytes-xx"[:18]), ["line 1", "16"]),
    "secret shorter than asked": (lambda it: it.set(webhook_secret_min="64"), ["line 1", "64"]),
    "second secret without an end": (lambda it: it.secret(f"v2 {SECRET}x", f"v1 {SECRET}"),
                                     ["line 2", "until="]),
    "secret with a blank": (lambda it: it.secret("v1 correct horse battery"), ["line 1", "blank"]),
    "body larger than the core allows": (
        lambda it: it.set(webhook_max_body="2m", client_max_body_size="1m"),
        ["webhook_max_body", "client_max_body_size"]),
    "window for a provider without time": (
        lambda it: it.set(webhook="github", webhook_tolerance="5m 5m"), ["webhook_tolerance"]),
    "window is no time": (lambda it: it.set(webhook_tolerance="soon 5m"), ["webhook_tolerance"]),
    "window with one side": (lambda it: it.set(webhook_tolerance="5m"), ["webhook_tolerance"]),
    "pass is no socket": (lambda it: it.set(webhook_pass="127.0.0.1:80"),
                          ["webhook_pass", "unix:"]),
    "body without a size": (lambda it: it.set(webhook_max_body="0"), ["webhook_max_body", "60m"]),
    "body larger than a frame": (
        lambda it: it.set(webhook_max_body="61m", client_max_body_size="100m",
                          webhook_max_inflight="10 100m", webhook_max_reading="100m"),
        ["webhook_max_body", "60m"]),
    "another handler": (lambda it: it.set(proxy_pass="http://127.0.0.1:1"),
                        ["proxy_pass", "location of its own"]),
    "another handler inside": (
        lambda it: it.set(webhook="stripe; if ($http_x) { proxy_pass http://127.0.0.1:1; }"
                                  " set $unused 1"),
        ["proxy_pass", "location of its own"]),
    "body larger than may be read": (
        lambda it: it.set(webhook_max_body="1m", webhook_max_reading="1m"),
        ["webhook_max_reading"]),
    "https is neither": (lambda it: it.set(webhook_require_https="maybe"),
                         ["webhook_require_https"]),
    "in flight is no number": (lambda it: it.set(webhook_max_inflight="many 64m"),
                               ["webhook_max_inflight"]),
    "timeout is no time": (lambda it: it.set(webhook_timeout="later"), ["webhook_timeout"]),
    "a directive twice": (lambda it: it.set(webhook_endpoint="a; webhook_endpoint b"),
                          ["webhook_endpoint", "duplicate"]),
    "endpoint with odd bytes": (lambda it: it.set(webhook_endpoint='"a b"'), ["webhook_endpoint"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_r21_wrong_location(stack, name):
    change, words = WRONG[name]
    message = refuse(stack, change(Location(stack)).text())
    for word in words:
        assert word in message
    assert re.search(r"nginx\.conf:\d+", message), message


def test_r21_two_locations_with_one_key(stack):
    location = Location(stack)
    message = refuse(stack, location.text("/one") + location.text("/two"))
    assert "webhook_endpoint" in message
    assert "billing" in message
    assert re.search(r"nginx\.conf:\d+", message), message


@pytest.mark.parametrize("provider_text,words", [
    (provider(("algorithm   hmac-sha256 hex", "algorithm md5 hex")), ["algorithm", "hmac-sha256"]),
    (provider(("secret ", "sekret ")), ["sekret", "secret"]),
    (provider(("    signed      \"{header:X-Plain-Id}.{body}\";", "")), ["signed"]),
    (provider(("{body}", "{bodies}")), ["signed", "bodies"]),
    (provider((".{body}", "")), ["signed", "{body}"]),
    (provider(("event_id    header:X-Plain-Id;", "")), ["event_id"]),
    (provider((" unsigned", "")), ["event_type", "unsigned"]),
    (provider(("header:X-Plain-Type", "cookie:x")), ["event_type", "cookie:x"]),
    (signing.PLAIN_PROVIDER * 2, ["plain"]),
], ids=["algorithm", "unknown-directive", "no-signed", "unknown-part", "body-not-signed",
        "no-event-id", "unsigned-not-said", "unknown-source", "provider-twice"])
def test_r16_r21_wrong_provider(stack, provider_text, words):
    message = refuse(stack, "", provider_text)
    for word in words:
        assert word in message
    assert re.search(r"nginx\.conf:\d+", message), message
