"""nginx.conf.example is a configuration that NGINX accepts (R21)."""

import re
import subprocess

from harness import settings

SECRETS = {"stripe": "whsec_of_the_example", "github": "a-secret-for-github",
           "slack": "a-secret-for-slack-", "shopify": "a-secret-for-shopify",
           "partner": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}


def adapted(text: str, root) -> str:
    """The example with what is elsewhere here: paths, nothing else."""
    for old, new in [
        ("modules/ngx_http_webhook_module.so", str(settings.MODULE)),
        ("/usr/share/webhook/providers", str(settings.PROVIDERS)),
        ("/etc/nginx/tls", str(root)),
        ("/etc/webhook/secrets", str(root)),
        ("/var/log/nginx", str(root)),
        ("/run/nginx.pid", str(root / "nginx.pid")),
        ("listen      443", "listen 127.0.0.1:8443"),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    return text


def make_certificate(root) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
         "-subj", "/CN=hooks.example.com", "-keyout", root / "hooks.example.com.key",
         "-out", root / "hooks.example.com.crt"], check=True, capture_output=True)


def test_r21_the_example_is_accepted(tmp_path):
    make_certificate(tmp_path)
    for name, secret in SECRETS.items():
        (tmp_path / name).write_text(f"v1 {secret}\n")
    text = adapted((settings.REPO / "nginx.conf.example").read_text(), tmp_path)
    config = tmp_path / "nginx.conf"
    config.write_text(text)
    done = subprocess.run(
        [settings.NGINX, "-t", "-p", tmp_path, "-c", config], capture_output=True, text=True,
        env=settings.nginx_environment())
    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr


def test_the_example_and_the_readme_name_every_directive():
    source = (settings.REPO / "ngx_webhook_module/directives.cpp").read_text()
    directives = set(re.findall(r'"(webhook_[a-z_]+|webhook)"', source)) - {"webhook_provider"}
    example = (settings.REPO / "nginx.conf.example").read_text()
    readme = (settings.REPO / "README.md").read_text()
    assert len(directives) > 10
    for directive in directives:
        assert re.search(rf"\b{directive}\b", example), directive
        assert f"| `{directive} " in readme, directive
