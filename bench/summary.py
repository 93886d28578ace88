"""One case of script/bench from what webhook-load printed.

    bench/summary.py CASE STORE RUNS [PEER PEER_RUNS]

RUNS and PEER_RUNS are files of one JSON object a line, a line a run; the run of
median throughput stands for them. Prints one line; ends with 1 when a request
failed.
"""

import json
import sys
from pathlib import Path

FIGURES = ("rps", "p50_ms", "p99_ms", "p999_ms", "bytes_mean", "errors")


def median_run(file: str) -> dict:
    runs = [json.loads(line) for line in Path(file).read_text().splitlines()]
    median = sorted(runs, key=lambda run: run["rps"])[len(runs) // 2]
    return {**median, "errors": sum(run["errors"] for run in runs)}


def main(case: str, store: str, runs: str, peer: str = "", peer_runs: str = "") -> int:
    run = median_run(runs)
    line = {"case": case, "store": store, **{name: run[name] for name in FIGURES}}
    if peer:
        other = median_run(peer_runs)
        line |= {"peer": peer, "peer_rps": other["rps"],
                 "ratio": round(run["rps"] / other["rps"], 3) if other["rps"] else None}
        line["errors"] += other["errors"]
    print(json.dumps(line), flush=True)
    return 1 if line["errors"] else 0


if __name__ == "__main__":
    if len(sys.argv) not in (4, 6):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
