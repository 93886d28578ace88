"""One case of script/bench from what webhook-load printed.

    bench/summary.py CASE STORE NAME [--peer PEER NAME] [--wal NAME]

NAME.runs, in the working folder, is a file of one JSON object a line, a line a
run; the run of median throughput stands for them. That of --wal has what the
server logged during each of them. Prints one line; ends with 1 when a request
failed.
"""

import argparse
import json
import sys
from pathlib import Path

FIGURES = ("rps", "p50_ms", "p99_ms", "p999_ms", "bytes_mean", "errors")


def runs_of(name: str) -> list[dict]:
    return [json.loads(line) for line in Path(f"{name}.runs").read_text().splitlines()]


def median_run(runs: list[dict]) -> dict:
    median = sorted(runs, key=lambda run: run["rps"])[len(runs) // 2]
    return {**median, "errors": sum(run["errors"] for run in runs)}


def compared(run: dict, peer: str, other: dict) -> dict:
    return {"peer": peer, "peer_rps": other["rps"],
            "ratio": round(run["rps"] / other["rps"], 3) if other["rps"] else None}


def per_event(logged: list[dict], runs: list[dict]) -> dict:
    accepted = sum(run["by_status"].get("200", 0) for run in runs)
    return {f"{name}_per_event": round(sum(each[name] for each in logged) / accepted)
            for name in ("wal_bytes", "wal_fpi_bytes")} if accepted else {}


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("case", "store", "name"):
        parser.add_argument(name)
    parser.add_argument("--peer", nargs=2)
    parser.add_argument("--wal")
    options = parser.parse_args()

    runs = runs_of(options.name)
    run = median_run(runs)
    line = {"case": options.case, "store": options.store, **{name: run[name] for name in FIGURES}}
    if options.peer:
        peer, name = options.peer
        other = median_run(runs_of(name))
        line |= compared(run, peer, other)
        line["errors"] += other["errors"]
    if options.wal:
        line |= per_event(runs_of(options.wal), runs)
    print(json.dumps(line), flush=True)
    return 1 if line["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
