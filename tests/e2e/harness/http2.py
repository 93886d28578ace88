"""HTTP/2 without TLS, with prior knowledge, one request at a time."""

import socket

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (ConnectionTerminated, DataReceived, ResponseReceived, StreamEnded,
                       StreamReset)
from h2.exceptions import StreamClosedError

from .response import Response


class Http2:
    def __init__(self, port: int, timeout: float = 20):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The tests also send what a well-behaved client would not.
        self._h2 = H2Connection(H2Configuration(
            client_side=True, header_encoding="utf-8",
            validate_outbound_headers=False, normalize_outbound_headers=False,
        ))
        self._h2.initiate_connection()
        self._flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        self._socket.close()

    def post(self, path: str, headers, body: bytes, pieces: list[bytes] | None = None,
             content_length: bool = True) -> Response:
        """DATA frames of the given pieces, cut further where flow control or
        the frame size asks for it."""
        stream = self._h2.get_next_available_stream_id()
        fields = [(":method", "POST"), (":scheme", "http"), (":authority", "localhost"),
                  (":path", path), *((name.lower(), str(value)) for name, value in headers)]
        if content_length:
            fields.append(("content-length", str(len(body))))
        parts = [piece for piece in (pieces or [body]) if piece]
        self._response = Response(0)
        self._ended = False
        self._h2.send_headers(stream, fields, end_stream=not parts)
        self._flush()
        for index, part in enumerate(parts):
            if not self._send(stream, part, last=index == len(parts) - 1):
                break
        while not self._ended:
            self._receive()
        return self._response

    def _send(self, stream: int, data: bytes, last: bool) -> bool:
        """False when the server has answered before the end of the body."""
        while data:
            try:
                room = self._room(stream)
                if self._ended:
                    return False
                self._h2.send_data(stream, data[:room], end_stream=last and len(data) <= room)
            except StreamClosedError:
                return False
            data = data[room:]
            self._flush()
        return True

    def _room(self, stream: int) -> int:
        while not self._ended:
            room = min(self._h2.local_flow_control_window(stream),
                       self._h2.max_outbound_frame_size)
            if room > 0:
                return room
            self._receive()
        return 0

    def _flush(self) -> None:
        self._socket.sendall(self._h2.data_to_send())

    def _receive(self) -> None:
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server closed the connection")
        for event in self._h2.receive_data(data):
            if isinstance(event, ResponseReceived):
                headers = dict(event.headers)
                self._response.status = int(headers[":status"])
                self._response.headers = [
                    (name, value) for name, value in event.headers if not name.startswith(":")
                ]
            elif isinstance(event, DataReceived):
                self._response.body += event.data
                self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, (StreamEnded, StreamReset)):
                self._ended = True
            elif isinstance(event, ConnectionTerminated):
                raise ConnectionError(f"GOAWAY {event.error_code}")
        self._flush()
