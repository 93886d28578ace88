"""Sees every file that appears in a folder, however briefly it is there."""

import ctypes
import os
import select
import struct
from pathlib import Path

IN_MOVED_TO = 0x80
IN_CREATE = 0x100
IN_NONBLOCK = 0x800
EVENT = struct.Struct("iIII")

libc = ctypes.CDLL(None, use_errno=True)


class Appearances:
    """The kernel keeps the list, so nothing is missed between two looks."""

    def __init__(self, folders: list[Path]):
        self._fd = libc.inotify_init1(IN_NONBLOCK)
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        for folder in folders:
            watch = libc.inotify_add_watch(self._fd, os.fsencode(folder), IN_CREATE | IN_MOVED_TO)
            if watch < 0:
                raise OSError(ctypes.get_errno(), f"inotify_add_watch {folder}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._fd)

    def names(self) -> list[str]:
        """What has appeared since the last call."""
        found = []
        while select.select([self._fd], [], [], 0)[0]:
            data = os.read(self._fd, 65536)
            while data:
                *_, length = EVENT.unpack_from(data)
                end = EVENT.size + length
                found.append(data[EVENT.size:end].rstrip(b"\0").decode())
                data = data[end:]
        return found
