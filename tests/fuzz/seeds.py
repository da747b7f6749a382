"""Reads the inputs from which the fuzzer starts: recorded messages between judge and cell, and inputs that once crashed a
decoder.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
CRASHES = HERE / "crashes"


def conversations() -> list[bytes]:
    """Return the recorded conversations. Each is an input of the fuzzer."""
    return [base64.b64decode(json.loads(row)) for row in (HERE / "conversations.jsonl").read_text().splitlines()]


def crashes() -> Iterator[tuple[str, Path]]:
    """Yield the target and the file of every input that once crashed the target and must not crash it again."""
    for path in sorted(CRASHES.glob("*")):
        yield path.name.partition("-")[0], path
