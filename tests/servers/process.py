"""A server process: started as the right OS user, ended by its own pid, and
ended by the kernel when whoever started it is gone."""

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Callable

from . import os_user

# No setting of whoever runs the tests (PGHOST, LANG, ...) reaches a server.
ENVIRONMENT = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "TZ": "UTC"}


class ServerProcess:
    """Start it from a thread that lives as long as the server shall: the kernel
    takes the end of that thread for the end of its parent."""

    def __init__(self, command: list[str], log: Path, parent_death: signal.Signals):
        self._log = log
        with log.open("ab") as output:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", parent_death.name.removeprefix("SIG"), *command],
                env=ENVIRONMENT, cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True, **os_user.popen_options(),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wait_ready(self, ready: Callable[[], bool], seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not ready():
            if not self.running or time.monotonic() > deadline:
                state = "is not ready" if self.running else "ended while starting"
                raise RuntimeError(f"the server {state}:\n{self.tail()}")
            time.sleep(0.02)

    def stop(self, number: signal.Signals, seconds: float = 60) -> int:
        """Ends it and returns its exit code; kills it, and fails, when it does not end."""
        if self.running:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(number)
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise RuntimeError(f"the server did not end within {seconds} s:\n{self.tail()}")

    def tail(self) -> str:
        return self._log.read_text(errors="replace")[-4000:]


def run(command: list[str]) -> str:
    """A command of the server's user; its output, an error when it fails."""
    done = subprocess.run(command, env=ENVIRONMENT, cwd="/", capture_output=True, text=True,
                          timeout=300, **os_user.popen_options())
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout
