"""gate.toml, optional: why a saboteur or a mutant may pass the tests.

    [[survivor]]
    saboteur = "leaked-gradient"            # an id of `gradus challenge saboteurs`
    reason = "The statement leaves it open whether …"

    [[survivor]]
    mutant = "constant-0caf0346"            # as the gate prints it
    reason = "Equivalent: …"

It is read by the gate alone: it belongs neither to what candidates see nor to what they are judged by.
"""

from pathlib import Path

import msgspec

from grader.errors import PackageError
from grader.gate.saboteurs import IDS

NAME = "gate.toml"
LEAST_REASON = 20


class Survivor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One survivor with its reason: a saboteur or a mutant."""

    reason: str
    saboteur: str = ""
    mutant: str = ""


class Reasons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of gate.toml."""

    survivor: tuple[Survivor, ...] = ()

    def of_saboteurs(self) -> dict[str, str]:
        """Reasons by the saboteur's id."""
        return {item.saboteur: item.reason for item in self.survivor if item.saboteur}

    def of_mutants(self) -> dict[str, str]:
        """Reasons by the mutant's id."""
        return {item.mutant: item.reason for item in self.survivor if item.mutant}


def reasons(folder: Path) -> Reasons:
    """What a challenge's gate.toml says. Raises PackageError naming file, key and what to write."""
    path = folder / NAME
    if not path.is_file():
        return Reasons()
    try:
        read = msgspec.toml.decode(path.read_bytes(), type=Reasons)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise PackageError(f"{path}: {error}") from None
    known: set[str] = set()
    for item in read.survivor:
        if complaint := _complaint(item, known):
            raise PackageError(f"{path}: {complaint}")
        known.add(item.saboteur or item.mutant)
    return read


def _complaint(item: Survivor, known: set[str]) -> str:
    name = item.saboteur or item.mutant
    if bool(item.saboteur) == bool(item.mutant):
        return "a [[survivor]] has either a `saboteur` or a `mutant`, and a `reason`"
    if item.saboteur and item.saboteur not in IDS:
        return f"there is no saboteur {item.saboteur!r}: `gradus challenge saboteurs` lists them"
    if name in known:
        return f"{name!r} comes twice"
    if len(item.reason.strip()) < LEAST_REASON:
        return f"the reason of {name!r} is too short: say why a right answer may do this"
    return ""
