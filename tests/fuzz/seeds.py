"""Recorded conversations, and inputs that once crashed a decoder."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
CRASHES = HERE / "crashes"


def conversations() -> list[bytes]:
    """Inputs as they were recorded."""
    return [base64.b64decode(json.loads(row)) for row in (HERE / "conversations.jsonl").read_text().splitlines()]


def crashes() -> Iterator[tuple[str, Path]]:
    """Target and file of every input that must not crash again."""
    for path in sorted(CRASHES.glob("*")):
        yield path.name.partition("-")[0], path
