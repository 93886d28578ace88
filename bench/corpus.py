"""Writes the payloads that GitHub's client library tests with as files.

    bench/corpus.py INDEX FOLDER

INDEX is @octokit/webhooks-examples' api.github.com/index.json. A file is named
EVENT.NUMBER.json, as webhook-load reads it.
"""

import json
import sys
from pathlib import Path


def main(index: str, folder: str) -> None:
    for event in json.loads(Path(index).read_text()):
        for number, example in enumerate(event["examples"]):
            body = json.dumps(example, separators=(",", ":"), ensure_ascii=False)
            Path(folder, f"{event['name']}.{number:03}.json").write_text(body)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
