"""Free loopback ports."""

import random
import socket


# A server binds its port only later: until then it looks free.
_given: set[int] = set()


def free_port() -> int:
    """Never the same one twice. Outside the range that the kernel takes client
    ports from, so that no connection of another test can sit on it before the
    server does."""
    while True:
        port = random.randint(20000, 31999)
        if port in _given:
            continue
        with socket.socket() as probe:
            # As NGINX does: a port whose last connections are in TIME_WAIT is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                _given.add(port)
                return port
            except OSError:
                continue


def accepts(address: str | tuple[str, int]) -> bool:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as probe:
        try:
            probe.connect(address)
            return True
        except OSError:
            return False
