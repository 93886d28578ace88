"""One client's connection through a gate."""

import socket
import threading
from typing import TYPE_CHECKING

from .answer_ends import AnswerEnds
from .postgres import PORT

if TYPE_CHECKING:
    from .gate import Gate

PIECE = 65536


class GateConnection:
    def __init__(self, gate: "Gate", client: socket.socket):
        self._gate = gate
        self._client = client
        self._server = socket.socket(socket.AF_UNIX)
        self._started = False    # the answer to its start has passed
        self._swallowing = False

    def serve(self) -> None:
        """Until either side closes."""
        try:
            self._gate.wait_open()
            self._server.connect(f"{self._gate.server.socket_dir}/.s.PGSQL.{PORT}")
            threading.Thread(target=self._pass_questions, daemon=True).start()
            self._pass_answers()
        except OSError:
            pass
        finally:
            self.close()

    def close(self) -> None:
        for end in (self._client, self._server):
            try:
                # Closing alone does nothing while a thread reads from it.
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # not connected, or no longer
            end.close()
        self._gate.closed(self)

    def _pass_questions(self) -> None:
        try:
            while data := self._client.recv(PIECE):
                self._gate.wait_open()
                self._server.sendall(data)
        except OSError:
            pass
        finally:
            self.close()

    def _pass_answers(self) -> None:
        ends = AnswerEnds()
        while data := self._server.recv(PIECE):
            self._gate.wait_open()
            begin = 0
            for end in ends.feed(data):
                self._pass(data[begin:end])
                if self._swallowing:
                    self._gate.answered(passed=False)
                    return
                if self._started:
                    self._gate.answered(passed=True)
                self._started = True
                begin = end
            self._pass(data[begin:])

    def _pass(self, answer: bytes) -> None:
        """Once a part of an answer is missing, the rest of it is no use."""
        if answer and self._started and self._gate.swallows():
            self._swallowing = True
        if not self._swallowing:
            self._client.sendall(answer)
