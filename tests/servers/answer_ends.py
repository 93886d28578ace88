"""Where in the bytes from a PostgreSQL server its answers end."""

HEADER = 5  # a type, and a length that counts itself
READY_FOR_QUERY = ord("Z")


class AnswerEnds:
    def __init__(self):
        self._header = b""
        self._left = 0  # of the message under way

    def feed(self, data: bytes) -> list[int]:
        """The offsets in `data` just behind each ReadyForQuery: what comes
        before it, the commit has preceded."""
        ends = []
        at = 0
        while at < len(data):
            if self._left:
                step = min(self._left, len(data) - at)
                at += step
                self._left -= step
                if not self._left and self._header[0] == READY_FOR_QUERY:
                    ends.append(at)
                continue
            if len(self._header) == HEADER:
                self._header = b""
            step = HEADER - len(self._header)
            self._header += data[at:at + step]
            at += step
            if len(self._header) == HEADER:
                self._left = int.from_bytes(self._header[1:], "big") - 4
        return ends
