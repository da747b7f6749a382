"""Recorded conversations, and inputs that once crashed a decoder."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
CRASHES = HERE / "crashes"


def conversations() -> list[bytes]:
    """The recorded inputs."""
    return [base64.b64decode(json.loads(row)) for row in (HERE / "conversations.jsonl").read_text().splitlines()]


def crashes() -> Iterator[tuple[str, Path]]:
    """The target and the file of every input that once crashed and must not crash again."""
    for path in sorted(CRASHES.glob("*")):
        yield path.name.partition("-")[0], path
