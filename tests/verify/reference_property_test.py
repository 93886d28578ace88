#!/usr/bin/env python3
"""The verify library against Python's hmac, hashlib and base64.

Random provider specifications, secrets and bodies are signed here and judged by
verify_driver. What is signed must be accepted under the version that signed it;
with one bit flipped anywhere in the body, the id, the timestamp or the
signature it must not be. The seed is fixed: every run makes the same cases.

    reference_property_test.py PATH/TO/verify_driver [COUNT]
"""

import base64
import hashlib
import hmac
import json
import random
import subprocess
import sys
import time

NOW = 1614265330
TOKEN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"


def encode(data, encoding, padded):
    if encoding == "hex":
        return data.hex() if padded else data.hex().upper()
    text = base64.b64encode(data) if encoding == "base64" else base64.urlsafe_b64encode(data)
    return text.decode() if padded else text.decode().rstrip("=")


def flipped(rng, data):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


class Case:
    """One provider with one delivery that it signed."""

    def __init__(self, rng):
        self.rng = rng
        self.encoding = rng.choice(["hex", "base64", "base64url"])
        self.algorithm = rng.choice(["sha1", "sha256", "sha512"])
        self.choose_grammar()
        self.choose_time()
        self.choose_template()
        self.choose_secrets()
        self.body = rng.randbytes(rng.choice([0, 1, 2, 17, 64, 1000]))
        self.signature = self.sign(self.keys[self.signer], self.body)

    def choose_grammar(self):
        rng = self.rng
        self.list = rng.choice(["", ",", ";", " ", "&", "|"])
        self.kv = rng.choice(["", "=", ",", ":", "|", " "])
        if self.kv == self.list:
            self.kv = ""
        self.key = rng.choice(["v1", "sha256", "h1", "s"]) if self.kv else ""

    def choose_time(self):
        rng = self.rng
        places = ["none", "header"] + (["sigkv"] * 2 if self.list and self.kv else [])
        self.time_in = rng.choice(places)
        self.unit = rng.choice(["s", "ms", "rfc3339"])
        if self.unit == "rfc3339" and self.kv == ":":
            self.unit = "s"
        moment = NOW + rng.randint(-300, 300)
        self.ts = {
            "s": str(moment),
            "ms": str(moment * 1000),
            "rfc3339": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
            + rng.choice(["", ".0", ".000000000"])
            + rng.choice(["Z", "+00:00", "-00:00"]),
        }[self.unit]

    def choose_template(self):
        rng = self.rng
        parts = ["{body}"]
        if self.time_in != "none":
            parts.append("{ts}")
        self.headers = {}
        for name in rng.sample(["X-Id", "X-Topic", "webhook-id"], rng.randint(0, 2)):
            parts.append("{header:%s}" % name)
            self.headers[name] = "".join(rng.choices(TOKEN, k=rng.randint(1, 40)))
        rng.shuffle(parts)
        # No letter, digit, '_' or '-': a signed header may not hold what ends it.
        literals = ["", ".", ":", "|", ";", "\n", "\t", "}", "'", '"', "\\", "#é"]
        self.template = []
        for part in parts:
            self.template += [rng.choice(literals), part]
        self.template.append(rng.choice(literals))

    def choose_secrets(self):
        rng = self.rng
        self.form = rng.choice(["utf8", "base64", "hex"])
        self.prefix = rng.choice(["", "whsec_"]) if self.form != "utf8" else ""
        self.keys, self.secret_lines = [], []
        for index in range(rng.randint(1, 3)):
            key = rng.randbytes(rng.choice([1, 16, 24, 63, 64, 65, 128, 200]))
            if self.form == "utf8":
                text = "s" + key.hex()
                key = text.encode()
            elif self.form == "hex":
                text = self.prefix + key.hex()
            else:
                text = self.prefix + base64.b64encode(key).decode()
            until = "until=2021-02-26T00:00:00Z" if index else ""
            self.keys.append(key)
            self.secret_lines.append("v%d %s %s" % (index, text, until))
        self.signer = rng.randrange(len(self.keys))

    def sign(self, key, body):
        message = b""
        for part in self.template:
            if part == "{body}":
                message += body
            elif part == "{ts}":
                message += self.ts.encode()
            elif part.startswith("{header:"):
                message += self.headers[part[8:-1]].encode()
            else:
                message += part.encode()
        return hmac.new(key, message, getattr(hashlib, self.algorithm)).digest()

    def provider(self):
        quoted = "".join(self.template).replace("\\", "\\\\").replace('"', '\\"')
        quoted = quoted.replace("\n", self.rng.choice(["\\n", "\n"])).replace("\t", "\\t")
        grammar = ""
        if self.list:
            grammar += self.option("list", self.list)
        if self.kv:
            grammar += self.option("kv", self.kv) + " key=" + self.key
        lines = [
            "signature header:X-Sig" + grammar,
            'signed "%s"' % quoted,
            "algorithm hmac-%s %s" % (self.algorithm, self.encoding),
            "secret %s%s" % (self.form, " prefix=" + self.prefix if self.prefix else ""),
            "event_id json:/id",
        ]
        if self.time_in != "none":
            source = "header:X-Time" if self.time_in == "header" else "sigkv:t"
            lines.append("timestamp %s unit=%s" % (source, self.unit))
            lines.append("tolerance 5m 5m")
        self.rng.shuffle(lines)
        return "webhook_provider random {\n" + ";\n".join(lines) + ";\n}\n"

    @staticmethod
    def option(name, separator):
        return ' "%s=%s"' % (name, "space" if separator == " " else separator)

    def signature_header(self, text, ts):
        """The signature among elements that must be passed over."""
        rng = self.rng

        def element(key, value):
            blank = rng.choice(["", " "]) if self.list != " " and self.kv != " " else ""
            return key + blank + self.kv + blank + value if self.kv else value

        if not self.list:
            return element(self.key, text)
        size = len(self.signature)
        wrong = encode(rng.randbytes(size), self.encoding, True)
        decoys = [element(self.key, wrong), element(self.key, wrong[:-4]), element(self.key, "")]
        if self.kv:
            decoys += [element("v0", text), "junk", element("w", "!")]
        elements = rng.sample(decoys, rng.randint(0, len(decoys))) + [element(self.key, text)]
        if self.time_in == "sigkv":
            elements.append(element("t", ts))
        rng.shuffle(elements)
        return (self.list + rng.choice(["", " "])).join(elements)

    def request(self, provider, body=None, signature_text=None, ts=None, headers=None):
        body = self.body if body is None else body
        text = signature_text
        if text is None:
            text = encode(self.signature, self.encoding, self.rng.random() < 0.7).encode()
        ts = self.ts.encode() if ts is None else ts
        header = self.signature_header(text.decode("latin-1"), ts.decode("latin-1"))
        fields = [["X-Sig", header.encode("latin-1").hex()]]
        if self.time_in == "header":
            fields.append(["x-time", ts.hex()])
        for name, value in self.headers.items():
            changed = (headers or {}).get(name, value.encode())
            fields.append([name, changed.hex()])
        self.rng.shuffle(fields)
        cuts = sorted(self.rng.randint(0, len(body)) for _ in range(self.rng.randint(0, 3)))
        return {
            "provider": provider,
            "secrets": "\n".join(self.secret_lines) + "\n",
            "now_ms": NOW * 1000,
            "headers": fields,
            "body": body.hex(),
            "cuts": cuts,
        }

    def tests(self):
        """(what, request, accepted) triples."""
        rng = self.rng
        provider = self.provider()
        yield "valid", self.request(provider), True
        if self.body:
            yield "body", self.request(provider, body=flipped(rng, self.body)), False
        yield "longer body", self.request(provider, body=self.body + b" "), False
        other = encode(flipped(rng, self.signature), self.encoding, True).encode()
        yield "signature", self.request(provider, signature_text=other), False
        text = encode(self.signature, self.encoding, True).encode()
        respelled = flipped(rng, text)
        if self.encoding != "hex" or respelled.lower() != text.lower():
            yield "its text", self.request(provider, signature_text=respelled), False
        if self.time_in != "none":
            yield "timestamp", self.request(provider, ts=flipped(rng, self.ts.encode())), False
        for name, value in self.headers.items():
            changed = {name: flipped(rng, value.encode())}
            yield "header", self.request(provider, headers=changed), False
        secret = rng.randbytes(32)
        foreign = encode(self.sign(secret, self.body), self.encoding, True).encode()
        yield "secret", self.request(provider, signature_text=foreign), False


def main():
    driver = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    rng = random.Random(20210225)
    tests = []
    for _ in range(count):
        case = Case(rng)
        for what, request, accepted in case.tests():
            tests.append((what, request, "none v%d" % case.signer if accepted else None))
    lines = "".join(json.dumps(request) + "\n" for _, request, _ in tests)
    result = subprocess.run([driver], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    verdicts = result.stdout.decode("latin-1").splitlines()
    assert len(verdicts) == len(tests), "%d verdicts of %d" % (len(verdicts), len(tests))

    failed, seen = 0, {}
    for (what, request, expected), verdict in zip(tests, verdicts):
        wrong = verdict.startswith(("none", "provider:", "secrets:", "internal"))
        good = verdict == expected if expected else not wrong
        seen[verdict.split()[0]] = seen.get(verdict.split()[0], 0) + 1
        if not good:
            failed += 1
            if failed <= 5:
                print("%s: %s, expected %s\n%s" % (what, verdict, expected, json.dumps(request)))
    print("%d cases, %d failed; %s" % (len(tests), failed, seen))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
