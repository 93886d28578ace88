"""Fixtures: stacks that are started for a test or a file of tests, and checked
after every test.

WEBHOOK_BUILD_DIR names the build under test; WEBHOOK_SANITIZE=1 and
WEBHOOK_FAULT_POINTS=1 say how it was built. CTest sets all three.
"""

import sys
from pathlib import Path
from typing import Callable, Iterator

import pytest

# For the package `servers`, which is not only for these tests.
sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

from harness.settings import FAULT_POINTS, SANITIZE
from harness.stack import Stack
from servers.pgbouncer import PgBouncer
from servers.postgres import SMALL, Postgres

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


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """One for all tests that ask for it; they take databases of their own."""
    with Postgres(settings=SMALL) as server:
        yield server


@pytest.fixture(scope="session")
def pooler(postgres_server: Postgres) -> Iterator[PgBouncer]:
    """Before that server, in transaction mode."""
    with PgBouncer(postgres_server) as pooler:
        yield pooler


@pytest.fixture(autouse=True)
def clean_servers() -> Iterator[None]:
    yield
    for stack in _running:
        stack.check()
