"""Steady traffic of new events, with a record of every answer."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from . import signing
from .http1 import post
from .waiting import wait_until


@dataclass
class Load:
    """Every event is sent once, until `send_again`; what could not be answered
    is a failure."""

    port: int
    path: str
    secret: str
    threads: int = 4
    pause_s: float = 0.002
    refused_pause_s: float = 0.02  # refusals cost nothing, and would be thousands
    answers: dict[str, int] = field(default_factory=dict)  # event: the last status
    failures: list[str] = field(default_factory=list)
    unavailable: dict[str, signing.Signed] = field(default_factory=dict)  # last answer: 503

    def __post_init__(self):
        self._counts = Counter()  # of `answers`
        self._slowest = 0.0
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def __enter__(self):
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
            refused = self._send(signing.stripe(self.secret)) == 503
            time.sleep(self.refused_pause_s if refused else self.pause_s)

    def _send(self, signed: signing.Signed) -> int | None:
        begin = time.monotonic()
        try:
            # On a connection of its own: one that is kept alive may be
            # closed by a reload while the request is on its way.
            status = post(self.port, self.path, signed.headers, signed.body).status
        except OSError as error:
            self.failures.append(f"{signed.event_id}: {error!r}")
            return None
        self._record(signed, status, time.monotonic() - begin)
        return status

    def _record(self, signed: signing.Signed, status: int, seconds: float) -> None:
        event = signed.event_id
        with self._lock:
            if event in self.answers:
                self._counts[self.answers[event]] -= 1
            self._counts[status] += 1
            self.answers[event] = status
            self._slowest = max(self._slowest, seconds)
            if status == 503:
                self.unavailable[event] = signed
            else:
                self.unavailable.pop(event, None)

    def send_again(self, seconds: float = 60) -> None:
        """What was answered 503, as it was, until it is answered otherwise."""
        deadline = time.monotonic() + seconds

        def persist(signed: signing.Signed) -> None:
            while self._send(signed) == 503:
                assert time.monotonic() < deadline, f"{len(self.unavailable)} are still refused"

        with self._lock:
            refused = list(self.unavailable.values())
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(persist, refused))  # raises what one of them raised

    def wait_for(self, count: int, status: int = 200, seconds: float = 60) -> None:
        """So many further answers of that status."""
        target = self.statuses()[status] + count
        wait_until(lambda: self.statuses()[status] >= target, f"{count} answers {status}", seconds)

    def statuses(self) -> Counter:
        """Of each event the last one."""
        with self._lock:
            return +self._counts

    def ids(self, status: int) -> set[str]:
        return {event for event, answer in self.answers.items() if answer == status}

    def slowest(self) -> float:
        return self._slowest
