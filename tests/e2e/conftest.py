"""Fixtures: stacks that are started for a test or a file of tests, and checked
after every test.

WEBHOOK_BUILD_DIR names the build under test; WEBHOOK_SANITIZE=1 and
WEBHOOK_FAULT_POINTS=1 say how it was built. CTest sets all three.
"""

from typing import Callable, Iterator

import pytest

from harness.settings import FAULT_POINTS, SANITIZE
from harness.stack import Stack

collect_ignore = []
if not FAULT_POINTS:
    collect_ignore.append("test_crash.py")
if SANITIZE:
    # A sanitized module needs the sanitizers' symbols, and says nothing about
    # what NGINX's own build makes.
    collect_ignore += ["test_module_symbols.py", "test_nginx_build.py"]

StackMaker = Callable[..., Stack]

_running: list[Stack] = []


def _make_stacks(tmp_path_factory) -> Iterator[StackMaker]:
    made: list[Stack] = []

    def make(endpoints, start: bool = True, **options) -> Stack:
        stack = Stack(tmp_path_factory.mktemp("stack"), endpoints, **options)
        made.append(stack)
        _running.append(stack)
        return stack.start() if start else stack

    yield make
    for stack in made:
        _running.remove(stack)
    errors = [error for stack in made if (error := _stop(stack))]
    if errors:
        raise errors[0]


def _stop(stack: Stack) -> Exception | None:
    """So that one that ends badly does not leave the others running."""
    try:
        stack.stop()
        return None
    except Exception as error:
        return error


@pytest.fixture(scope="module")
def shared_stack(tmp_path_factory) -> Iterator[StackMaker]:
    """Makes stacks that the tests of one file share."""
    yield from _make_stacks(tmp_path_factory)


@pytest.fixture
def own_stack(tmp_path_factory) -> Iterator[StackMaker]:
    """Makes stacks for one test."""
    yield from _make_stacks(tmp_path_factory)


@pytest.fixture(autouse=True)
def clean_servers() -> Iterator[None]:
    yield
    for stack in _running:
        stack.check()
