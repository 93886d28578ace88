"""An HTTP answer, whatever the version that carried it."""

from dataclasses import dataclass, field


@dataclass
class Response:
    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)  # names in lower case
    body: bytes = b""

    def header(self, name: str) -> str | None:
        values = [value for key, value in self.headers if key == name.lower()]
        assert len(values) < 2, f"{name} is there {len(values)} times"
        return values[0] if values else None

    @property
    def decision(self) -> str | None:
        return self.header("Webhook-Decision")

    @property
    def outcome(self) -> tuple[int, str | None]:
        return self.status, self.decision


def pieces_of(body: bytes, size: int) -> list[bytes]:
    return [body[at:at + size] for at in range(0, len(body), size)]
