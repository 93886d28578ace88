"""What a built module offers and needs."""

import subprocess
from pathlib import Path


def dynamic_symbols(module: Path, which: str) -> set[str]:
    """`which`: --defined-only or --undefined-only."""
    output = subprocess.run(["nm", "-D", which, str(module)], check=True,
                            capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in output.splitlines()}


def cpp_runtime_symbols(module: Path) -> set[str]:
    """Symbols for which NGINX would have to load libstdc++. __cxa_finalize is
    the C library's, and in every shared object."""
    return {name for name in dynamic_symbols(module, "--undefined-only")
            if name.startswith(("_Z", "__gxx", "__cxa_")) and name != "__cxa_finalize"}
