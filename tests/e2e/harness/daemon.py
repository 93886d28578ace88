"""A server process of the test: started, watched, ended by its own pid."""

import signal
import subprocess
from pathlib import Path

from .waiting import wait_until


class Daemon:
    def __init__(self, command: list[str], env: dict[str, str], log: Path, name: str):
        self.name = name
        self.log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                command, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_ready(self, ready, seconds: float = 30) -> None:
        def ready_or_dead():
            if not self.running:
                raise AssertionError(f"{self.name} ended while starting:\n{self.tail()}")
            return ready()

        wait_until(ready_or_dead, f"{self.name} to be ready", seconds)

    def send(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def stop(self, number: signal.Signals, seconds: float = 30) -> int:
        """Ends it and returns its exit code; kills it, and fails, when it does not end."""
        if self.running:
            self.send(signal.SIGCONT)
            self.send(number)
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not end within {seconds} s of {number.name}")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def wait(self, seconds: float = 30) -> int:
        return self._process.wait(seconds)

    def tail(self) -> str:
        return self.log.read_text(errors="replace")[-4000:]
