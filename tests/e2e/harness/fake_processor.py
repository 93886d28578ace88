"""The other end of the link, behaving as a test says (proto/webhook.proto)."""

import socket
import struct
import threading
from pathlib import Path
from typing import Callable

ACCEPTED = 1


def varint(value: int) -> bytes:
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def text(field: int, value: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(value)) + value


def framed(message: bytes) -> bytes:
    return struct.pack(">I", len(message)) + message


HELLO = framed(text(2, number(1, 1) + number(2, 1)))
GO_AWAY = framed(text(5, b""))


def result(decision: int = ACCEPTED, reason: int = 1) -> bytes:
    return text(1, number(1, decision) + number(2, reason) + text(3, bytes(16)))


def answer(stream: int, *results: bytes) -> bytes:
    return framed(number(1, stream) + text(4, b"".join(results)))


class Connection:
    def __init__(self, connection: socket.socket):
        self._socket = connection

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def read_stream(self) -> int:
        """The stream of the next event; its Hello is passed over."""
        while True:
            frame = self._read(struct.unpack(">I", self._read(4))[0])
            if frame[0] == 1 << 3:
                return self._stream_of(frame)

    def begin_event(self) -> int:
        """The stream of an event of which nothing but the first bytes is read."""
        while True:
            size = struct.unpack(">I", self._read(4))[0]
            frame = self._read(min(size, 64))
            if frame[0] == 1 << 3:
                return self._stream_of(frame)

    @staticmethod
    def _stream_of(frame: bytes) -> int:
        value = shift = 0
        for byte in frame[1:]:
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        return value

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self._socket.recv(size - len(data))
            if not piece:
                raise ConnectionError("NGINX closed the link")
            data += piece
        return data


class FakeProcessor:
    """Runs `behave` for each connection, then waits for NGINX to close it,
    or closes it where `closes`."""

    def __init__(self, path: Path, behave: Callable[[Connection], None], closes: bool = False):
        self._behave = behave
        self._closes = closes
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(64)
        self._connections: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._connections:
            try:
                # Closing alone does nothing while a thread reads from it.
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # that end has gone already
            connection.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            self._behave(Connection(connection))
            if self._closes:
                connection.close()
        except OSError:
            pass
