"""Short-lived folders under /tmp, which every OS user can enter: pytest's are
closed to the servers' user, and too deep for the name of a socket."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from . import os_user


class TemporaryFolder:
    """Belongs to the servers' user. Goes with `remove`, or with this process,
    however that ends: a shell waits for its end and removes what it left."""

    def __init__(self, prefix: str):
        self.path = Path(tempfile.mkdtemp(prefix=f"{prefix}-", dir="/tmp"))
        self.path.chmod(0o711)
        os_user.give(self.path)
        # In a session of its own: the terminal's Ctrl-C is not for it. The
        # servers get their signal when this process ends and need a moment, up
        # to 5 s, in which they can get in the way.
        self._remover = subprocess.Popen(
            ["sh", "-c", 'read -r _ || sleep 1; rm -rf "$1" || { sleep 6; rm -rf "$1"; }',
             "sh", str(self.path)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def remove(self) -> None:
        if self._remover.poll() is None:
            self._remover.communicate(b"now\n")
        shutil.rmtree(self.path, ignore_errors=True)
