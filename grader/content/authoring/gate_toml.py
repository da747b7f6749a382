"""Reads gate.toml, in which an author tells the gate three things: which tests check the promises of the statement (see
promises.py), which saboteurs and mutants may pass all tests, and on which inputs accepted answers may disagree. Saboteurs and
mutants are broken copies of the reference, with which the gate tests the tests.

    [[survivor]]
    saboteur = "leaked-gradient"            # an id of `gradus challenge saboteurs`
    reason = "The statement leaves it open whether …"

    [[survivor]]
    mutant = "constant-0caf0346"            # as the gate prints it
    reason = "Equivalent: …"

    [[disagreement]]
    function = "fit"                        # a function of the answer or of probes.py, as the gate prints it
    kind = "equal rows"                     # the kind of edge input, as the gate prints it
    reason = "The statement excludes …"

Only the gate reads this file. Candidates do not see it, and it does not affect how their answers are judged.
"""

from pathlib import Path

import msgspec

from grader.content.authoring.promises import Promise, complaint
from grader.content.authoring.saboteurs import IDS
from grader.contract.errors import PackageError

NAME = "gate.toml"
LEAST_REASON = 20


class Survivor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A saboteur or a mutant that is allowed to survive, which means to pass all tests. `reason` says why."""

    reason: str
    saboteur: str = ""
    mutant: str = ""


class DisagreementReason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of edge input on which accepted answers may give different results. `reason` says why."""

    function: str
    kind: str
    reason: str


class GateToml(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of gate.toml."""

    survivor: tuple[Survivor, ...] = ()
    promise: tuple[Promise, ...] = ()
    disagreement: tuple[DisagreementReason, ...] = ()

    def of_saboteurs(self) -> dict[str, str]:
        """Return the reasons for the saboteurs that may survive, as a dict by the saboteurs' ids."""
        return {item.saboteur: item.reason for item in self.survivor if item.saboteur}

    def of_mutants(self) -> dict[str, str]:
        """Return the reasons for the mutants that may survive, as a dict by the mutants' ids."""
        return {item.mutant: item.reason for item in self.survivor if item.mutant}


def load_gate_toml(folder: Path) -> GateToml:
    """Return the content of gate.toml, or an empty `GateToml` if the file does not exist. Raises `PackageError` if the file is
    invalid; the message names the file, the key and what to write.
    """
    path = folder / NAME
    if not path.is_file():
        return GateToml()
    try:
        read = msgspec.toml.decode(path.read_bytes(), type=GateToml)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise PackageError(f"{path}: {error}") from None
    known: set[str] = set()
    for item in read.survivor:
        if wrong := _complaint(item, known):
            raise PackageError(f"{path}: {wrong}")
        known.add(item.saboteur or item.mutant)
    for open_ in read.disagreement:
        if len(open_.reason.strip()) < LEAST_REASON:
            raise PackageError(
                f"{path}: the reason for {open_.function!r} is too short: say why the answers may disagree"
            )
    for row in read.promise:
        if wrong := complaint(row):
            raise PackageError(f"{path}: {wrong}")
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
