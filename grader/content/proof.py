"""Reads and writes gate.lock, the authoring gate's result for one version of a challenge or topic. Only the gate writes it.

By default, the service does not serve a challenge without a valid gate.lock. It shows numbers from this file, such as the kill
rate (the share of mutants that the tests reject). The gate reuses the result until something on which it depends changes.
"""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from grader.contract.errors import PackageError

NAME = "gate.lock"


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of gate.lock. Contains three digests. `package` covers the folder as the service serves it. `key` covers
    everything on which the result depends, such as the testing kit and the version of torch. `judged` covers the same as `key`,
    except the challenge's statement and editorial.

    `mutants` does not count mutants that gate.toml excuses as equivalent to the reference. `record` contains the detailed
    results, which only the gate uses. `milliseconds` is how long the reference needs for each test, in the order of tests.lock;
    it is empty for a topic.
    """

    package: str
    key: str
    tests: int
    accepted: int
    wrong: int
    saboteurs: int
    mutants: int
    killed: int
    record: msgspec.Raw
    judged: str = ""
    milliseconds: tuple[int, ...] = ()

    @property
    def kill_rate(self) -> float:
        """The share of mutants that the tests rejected; 1 if there are no mutants."""
        return self.killed / self.mutants if self.mutants else 1.0


def load(folder: Path) -> Proof | None:
    """Return the proof in a folder, or None if there is none. The proof may belong to an earlier version of the folder. Raises
    `PackageError` if the file cannot be read.
    """
    path = folder / NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=Proof)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}; write it again with `gradus challenge check {folder.name}`") from None


def save(folder: Path, proof: Proof) -> None:
    """Write a proof to the gate.lock of `folder`. Replaces an existing gate.lock atomically."""
    new = folder / f"{NAME}.new"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(proof), indent=1) + b"\n")
    new.rename(folder / NAME)


def torch_version() -> str:
    """Return the installed version of torch, or "none" if torch is not installed. Does not import torch, which is slow."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return "none"
