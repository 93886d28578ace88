"""One webhook location of the NGINX under test."""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Endpoint:
    provider: str
    secret: str
    name: str = ""                       # the provider's, unless said
    directives: str = ""                 # further ones of the location
    https: str = "off"                   # webhook_require_https
    secret_lines: list[str] = field(default_factory=list)  # instead of `v1 SECRET`

    def __post_init__(self):
        self.name = self.name or self.provider
        self.secret_lines = self.secret_lines or [f"v1 {self.secret}"]

    @property
    def path(self) -> str:
        return f"/{self.name}"

    @property
    def secrets(self) -> list[str]:
        """What must never be seen in a log."""
        return [line.split()[1] for line in self.secret_lines if not line.startswith("#")]

    def secret_file(self, root: Path) -> Path:
        return root / f"{self.name}.secret"

    def write_secret(self, root: Path) -> None:
        """In one step, as a secret manager does."""
        file = self.secret_file(root)
        new = file.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text("\n".join(self.secret_lines) + "\n")
        new.rename(file)

    def location(self, root: Path, link: Path) -> str:
        return f"""
        location = {self.path} {{
            webhook {self.provider};
            webhook_endpoint {self.name};
            webhook_pass unix:{link};
            webhook_secret_file {self.secret_file(root)};
            webhook_require_https {self.https};
            {self.directives}
        }}"""
