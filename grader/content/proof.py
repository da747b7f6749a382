"""Reads and writes gate.lock, the authoring gate's result for one version of a challenge or topic. Only the gate writes it.

The service shows it (how many wrong answers were tried, the kill rate), and does not serve a challenge without it. The gate
reuses it until something on which the result depends changes.
"""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from grader.contract.errors import PackageError

NAME = "gate.lock"


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of gate.lock. `package` is the folder's digest. `key` is a digest of everything on which the result depends,
    such as the testing kit and the version of torch. `judged` is computed in the same way, but without the challenge's
    statement and editorial.

    `mutants` does not count those that are equivalent to the reference. `record` contains the detailed results, which only the
    gate uses.
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
    """Write a proof into its folder. Replaces an earlier proof atomically."""
    new = folder / f"{NAME}.new"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(proof), indent=1) + b"\n")
    new.rename(folder / NAME)


def torch_version() -> str:
    """Return the installed version of torch, without importing torch."""
    try:
        return version("torch")
    except PackageNotFoundError:
        return "none"
