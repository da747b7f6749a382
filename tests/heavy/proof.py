"""Reads and writes proofs: files that say that a suite has passed, and for which state of the repository."""

from pathlib import Path

import msgspec

from tests.heavy.suites import HERE


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The proof that a suite passed. `alone` lists the tests that passed only when they ran without others beside them."""

    suite: str
    digest: str
    passed: int
    seconds: float
    kernel: str
    engine: str
    alone: list[str] = []


def path(suite: str) -> Path:
    """Return the path of a suite's proof."""
    return HERE / "proofs" / f"{suite}.json"


def load(suite: str) -> Proof | None:
    """Read a suite's proof. Return None if it does not exist or cannot be read."""
    try:
        return msgspec.json.decode(path(suite).read_bytes(), type=Proof)
    except (FileNotFoundError, msgspec.MsgspecError):
        return None


def save(proof: Proof) -> None:
    """Write a proof."""
    path(proof.suite).parent.mkdir(exist_ok=True)
    path(proof.suite).write_bytes(msgspec.json.format(msgspec.json.encode(proof), indent=1) + b"\n")
