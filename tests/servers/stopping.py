"""SIGTERM and SIGINT as an exception, so that `with` and `finally` do their work."""

import signal
import sys


def exit_on_signals(code: int | None = None) -> None:
    """With that exit code, or as a shell tells of a signal. The second one, of an
    impatient terminal, does not break off the stopping."""
    def handle(number: int, _frame) -> None:
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number if code is None else code)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)
