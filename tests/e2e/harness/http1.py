"""HTTP/1.1 over a plain socket, so that every byte and its moment are ours."""

import select
import socket

from .response import Response


class Http1:
    def __init__(self, port: int, timeout: float = 20):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        self.socket.close()

    def post(self, path: str, headers, body: bytes, **options) -> Response:
        return self.request("POST", path, headers, body, **options)

    def request(self, method: str, path: str, headers, body: bytes = b"",
                pieces: list[bytes] | None = None) -> Response:
        """With Content-Length, or chunked in the given pieces."""
        if pieces is None:
            self.send(request_head(method, path, [*headers, ("Content-Length", len(body))]))
            self._send_until_answered([body])
        else:
            self.send(request_head(method, path, [*headers, ("Transfer-Encoding", "chunked")]))
            self._send_until_answered([*(chunk(piece) for piece in pieces), b"0\r\n\r\n"])
        return self.read_response(has_body=method != "HEAD")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def _send_until_answered(self, parts: list[bytes]) -> None:
        """A server that refuses before the end of the body answers at once."""
        for part in parts:
            if select.select([self.socket], [], [], 0)[0]:
                return
            try:
                self.socket.sendall(part)
            except (BrokenPipeError, ConnectionResetError):
                return

    def read_response(self, has_body: bool = True) -> Response:
        while True:
            head = self._read_head()
            lines = head.decode("latin-1").split("\r\n")
            status = int(lines[0].split(" ")[1])
            if status >= 200:
                break
        headers = [(name.lower(), value.strip())
                   for name, _, value in (line.partition(":") for line in lines[1:])]
        response = Response(status, headers)
        if not has_body:
            return response
        if response.header("Transfer-Encoding") == "chunked":
            response.body = self._read_chunks()
        else:
            response.body = self._read(int(response.header("Content-Length") or 0))
        return response

    def _more(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError(f"closed after {self._received[-200:]!r}")
        self._received += data

    def _read_head(self) -> bytes:
        while b"\r\n\r\n" not in self._received:
            self._more()
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        return head

    def _read(self, size: int) -> bytes:
        while len(self._received) < size:
            self._more()
        data, self._received = self._received[:size], self._received[size:]
        return data

    def _read_chunks(self) -> bytes:
        body = b""
        while True:
            while b"\r\n" not in self._received:
                self._more()
            size, _, self._received = self._received.partition(b"\r\n")
            data = self._read(int(size, 16) + 2)
            if len(data) == 2:
                return body
            body += data[:-2]


def request_head(method: str, path: str, headers) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def post(port: int, path: str, headers, body: bytes, **options) -> Response:
    """One request on a connection of its own."""
    with Http1(port) as connection:
        return connection.post(path, headers, body, **options)
