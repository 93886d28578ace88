"""Steady traffic of new events, with a record of every answer."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from . import signing
from .http1 import post
from .waiting import wait_until


@dataclass
class Load:
    """Every event is sent once; what could not be answered is a failure."""

    port: int
    path: str
    secret: str
    threads: int = 4
    pause_s: float = 0.002
    answers: dict[str, tuple[int, float]] = field(default_factory=dict)  # status, seconds
    failures: list[str] = field(default_factory=list)

    def __enter__(self):
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run) for _ in range(self.threads)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            signed = signing.stripe(self.secret)
            begin = time.monotonic()
            try:
                # On a connection of its own: one that is kept alive may be
                # closed by a reload while the request is on its way.
                status = post(self.port, self.path, signed.headers, signed.body).status
                self.answers[signed.event_id] = status, time.monotonic() - begin
            except OSError as error:
                self.failures.append(f"{signed.event_id}: {error!r}")
            time.sleep(self.pause_s)

    def wait_for(self, count: int, status: int = 200, seconds: float = 60) -> None:
        """So many further answers of that status."""
        target = self.statuses()[status] + count
        wait_until(lambda: self.statuses()[status] >= target, f"{count} answers {status}", seconds)

    def statuses(self) -> Counter:
        return Counter(status for status, _ in list(self.answers.values()))

    def ids(self, status: int) -> set[str]:
        return {event for event, (answer, _) in self.answers.items() if answer == status}

    def slowest(self) -> float:
        return max(seconds for _, seconds in self.answers.values())
