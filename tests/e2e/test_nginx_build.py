"""The module built by NGINX's own make, without CMake, and loaded."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.settings import NGINX, PROVIDERS, REPO
from harness.symbols import cpp_runtime_symbols

DEBIAN_SOURCE = Path("/usr/share/nginx/src")


def run(command: str, folder: Path) -> None:
    done = subprocess.run(["bash", "-euc", command], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def load(binary: str | Path, module: Path, folder: Path) -> str:
    """What `nginx -t` says to a configuration with the module and a location."""
    (folder / "secret").write_text("v1 a-secret-that-is-long-enough\n")
    config = folder / "nginx.conf"
    config.write_text(f"""
load_module {module};
pid {folder}/nginx.pid;
error_log stderr;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/temp;
    proxy_temp_path {folder}/temp; fastcgi_temp_path {folder}/temp;
    uwsgi_temp_path {folder}/temp; scgi_temp_path {folder}/temp;
    include {PROVIDERS}/*.conf;
    server {{
        listen unix:{folder}/http.sock;
        location / {{
            webhook stripe;
            webhook_endpoint billing;
            webhook_pass unix:{folder}/link.sock;
            webhook_secret_file {folder}/secret;
        }}
    }}
}}
""")
    done = subprocess.run([str(binary), "-t", "-p", str(folder), "-e", "stderr", "-c", str(config)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def snapshot(folder: Path) -> dict[str, float]:
    return {str(file): file.stat().st_mtime_ns for file in folder.rglob("*") if file.is_file()}


def test_with_the_distributions_nginx(tmp_path):
    before = snapshot(DEBIAN_SOURCE)
    sources = snapshot(REPO / "ngx_webhook_module")
    objs = tmp_path / "objs"
    run(f'. ./conf_flags; ./configure "${{NGX_CONF_FLAGS[@]}}" --builddir={objs}'
        f" --add-dynamic-module={REPO} && make -j2 -f {objs}/Makefile modules", DEBIAN_SOURCE)
    module = objs / "ngx_http_webhook_module.so"
    assert cpp_runtime_symbols(module) == set()
    assert "test is successful" in load(NGINX, module, tmp_path)
    assert snapshot(DEBIAN_SOURCE) == before
    assert snapshot(REPO / "ngx_webhook_module") == sources


def test_with_another_nginx_source_tree(tmp_path):
    source = os.environ.get("NGINX_SOURCE_DIR")
    if not source:
        pytest.skip("SKIPPED: set NGINX_SOURCE_DIR to build against another NGINX")
    tree = tmp_path / "nginx"
    shutil.copytree(source, tree)
    configure = "./configure" if (tree / "configure").exists() else "auto/configure"
    run(f"{configure} --with-compat --with-http_v2_module --prefix={tmp_path}"
        f" --add-dynamic-module={REPO} && make -j2", tree)
    module = tree / "objs" / "ngx_http_webhook_module.so"
    assert cpp_runtime_symbols(module) == set()
    assert "test is successful" in load(tree / "objs" / "nginx", module, tmp_path)
