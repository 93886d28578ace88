"""A run of pgbench as webhook-load would print it.

    bench/pgbench/latency.py BYTES LOG...

BYTES is the size of a payload; the LOGs are what `pgbench --log` wrote, a line a
transaction: client, number, microseconds or `failed`, script, and when it ended
in seconds and microseconds.
"""

import json
import math
import sys
from pathlib import Path


def quantile_ms(latencies_us: list[int], fraction: float) -> float:
    """The value of rank ceil(fraction * count), as webhook-load has it."""
    return latencies_us[math.ceil(fraction * len(latencies_us)) - 1] / 1000


def main(size: str, logs: list[str]) -> None:
    lines = [line.split() for log in logs for line in Path(log).read_text().splitlines()]
    done = [(int(us), int(s) * 1_000_000 + int(rest)) for _, _, us, _, s, rest in lines
            if us != "failed"]
    latencies = sorted(us for us, _ in done)
    elapsed_us = max(end for _, end in done) - min(end - us for us, end in done)
    print(json.dumps({
        "rps": round(len(done) * 1e6 / elapsed_us),
        "p50_ms": quantile_ms(latencies, 0.5),
        "p99_ms": quantile_ms(latencies, 0.99),
        "p999_ms": quantile_ms(latencies, 0.999),
        "bytes_mean": int(size),
        "errors": len(lines) - len(done),
        "events": len(lines),
    }))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
