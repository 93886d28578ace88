"""Where things are, and what kind of build is under test."""

import os
import subprocess
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("WEBHOOK_BUILD_DIR", REPO / "build")).resolve()
NGINX = os.environ.get("NGINX_BINARY", "/usr/sbin/nginx")
MODULE = BUILD / "ngx_http_webhook_module.so"
PROCESSOR = BUILD / "webhook-processor"
WEBHOOKCTL = BUILD / "webhookctl"
PROVIDERS = REPO / "providers"
SDK = REPO / "tests" / "sdk"

SANITIZE = os.environ.get("WEBHOOK_SANITIZE") == "1"
FAULT_POINTS = os.environ.get("WEBHOOK_FAULT_POINTS") == "1"

# Sanitized binaries on a busy machine answer several times slower.
SLOWNESS = 4 if SANITIZE else 1


def nginx_environment() -> dict[str, str]:
    """NGINX itself is not sanitized, so the module's runtime is preloaded.

    NGINX frees little at exit, hence no leak detection.
    """
    env = dict(os.environ)
    if SANITIZE:
        library = subprocess.run(
            ["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
        ).stdout.strip()
        env |= {
            "LD_PRELOAD": library,
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
    return env


def processor_environment(fault: str | None = None) -> dict[str, str]:
    env = dict(os.environ)
    if SANITIZE:
        env["UBSAN_OPTIONS"] = "print_stacktrace=1"
    if fault:
        env["WEBHOOK_FAULT"] = fault
    return env
