"""The module needs no C++ runtime and shows nothing but itself."""

import subprocess

from harness.settings import MODULE
from harness.symbols import cpp_runtime_symbols, dynamic_symbols


def test_only_the_module_arrays_are_exported():
    assert dynamic_symbols(MODULE, "--defined-only") == {
        "ngx_modules", "ngx_module_names", "ngx_module_order"}


def test_no_cpp_runtime_is_needed():
    assert "ngx_palloc" in dynamic_symbols(MODULE, "--undefined-only")
    assert cpp_runtime_symbols(MODULE) == set()
    needed = subprocess.run(["readelf", "-d", str(MODULE)], check=True,
                            capture_output=True, text=True).stdout
    assert "libcrypto" in needed
    assert "libstdc++" not in needed
