"""gate.lock: what the authoring gate found about exactly this version of a challenge or topic; written by the gate alone.

The service shows it (how many wrong answers were tried, the kill rate) and serves no challenge without it; the gate takes it for
its own result while nothing that it depends on has changed.
"""

from pathlib import Path

import msgspec

from grader.errors import PackageError

NAME = "gate.lock"


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`package` is the digest of the folder that was proven, `key` names all that the result depends on (kit and torch too).

    `mutants` counts those that matter: made of the reference without being equivalent to it. `record` is the gate's own.
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

    @property
    def kill_rate(self) -> float:
        """Mutants that a test saw, of those that count; 1 when none was made."""
        return self.killed / self.mutants if self.mutants else 1.0


def load(folder: Path) -> Proof | None:
    """The proof that lies in a folder, whatever it proves; None without one. Raises `PackageError` if it cannot be read."""
    path = folder / NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=Proof)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise PackageError(f"{path}: {error}; write it again with `gradus challenge check {folder.name}`") from None


def save(folder: Path, proof: Proof) -> None:
    """Write a proof beside what it proves, at once or not at all."""
    new = folder / f"{NAME}.new"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(proof), indent=1) + b"\n")
    new.rename(folder / NAME)
