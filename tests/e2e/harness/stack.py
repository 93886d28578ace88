"""NGINX, module and processor together, and what must hold after every test."""

import re
import uuid
from pathlib import Path

from .endpoint import Endpoint
from .http1 import post
from .nginx import TAG, Nginx
from .processor import Processor
from .response import Response
from .stores import Store
from .waiting import wait_until

# A finding of NGINX's own (a leaked socket, a dead worker) or a sanitizer's.
FINDINGS = re.compile(r"\[(alert|emerg)\]|Sanitizer|runtime error:")


class Stack:
    def __init__(self, root: Path, endpoints: list[Endpoint], http: str = "", locations: str = "",
                 store: Store | None = None):
        self.root = root
        self.processor = Processor(root, store)
        self.endpoints = {endpoint.name: endpoint for endpoint in endpoints}
        for endpoint in endpoints:
            endpoint.write_secret(root)
        own = "".join(endpoint.location(root, self.processor.link) for endpoint in endpoints)
        self.nginx = Nginx(root, own + locations, http)
        # Texts that no log may hold; a test adds what it sends.
        self.secrets = {secret for endpoint in endpoints for secret in endpoint.secrets}

    def start(self) -> "Stack":
        self.processor.start()
        self.nginx.start()
        return self

    def stop(self) -> None:
        """Ends both, even when one of them ends badly, then checks."""
        codes = {}
        try:
            if self.nginx.daemon:
                codes["nginx"] = self.nginx.stop()
        finally:
            if self.processor.daemon:
                codes["webhook-processor"] = self.processor.stop()
        self.check()
        assert not any(codes.values()), f"exit codes: {codes}, logs in {self.root}"

    def post_logged(self, path: str, headers, body: bytes) -> tuple[Response, dict]:
        """The answer, and the entry of the access log, which comes after it."""
        tag = uuid.uuid4().hex
        answer = post(self.nginx.port, path, [*headers, (TAG, tag)], body)
        entry, = wait_until(lambda: self.nginx.logged(tag), "the access log")
        return answer, entry

    def logs(self) -> list[Path]:
        files = [self.nginx.error_log, self.nginx.access_log, self.processor.log,
                 self.root / "nginx.out"]
        return [file for file in files if file.exists()]

    def check(self) -> None:
        for file in self.logs():
            text = file.read_text(errors="replace")
            found = [line for line in text.splitlines() if FINDINGS.search(line)]
            assert not found, f"{file}:\n" + "\n".join(found[:20])
            for secret in self.secrets:
                assert secret not in text, f"{file} holds {secret!r}"
        # NGINX removes the files of the proxy after the answer has left.
        wait_until(lambda: not self.nginx.temp_files(), "NGINX's temporary files to be gone", 5)

    def rows(self, table: str) -> int:
        """Rows of a table; for after the processor has stopped."""
        return self.processor.store.rows(table)

    def stored_ids(self) -> list[str]:
        """Event ids of all inbox rows that have their outbox row and payload;
        for after the processor has stopped."""
        return self.processor.store.stored_ids()
