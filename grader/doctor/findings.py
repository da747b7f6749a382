"""Defines the findings of `gradus doctor`. A finding says what was checked, what was measured, and how to fix a failure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """The state of a finding. `unseen` means that a check could not run, because something else must be fixed first."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    UNSEEN = "unseen"


class Group(StrEnum):
    """Groups of findings, in the order in which they are shown."""

    ENGINE = "Engine and image"
    ISOLATION = "Isolation"
    HOST = "Host"
    SPEED = "Speed and quiet"
    GPU = "GPU"


@dataclass(frozen=True)
class Finding:
    """One line of the report. `advice` says what to do, and is empty if nothing needs to be done.

    While a finding in Group.ISOLATION has the state FAILED, nodes on this machine refuse to judge.
    """

    group: Group
    key: str
    title: str
    state: State
    measured: str
    advice: str = ""


def line(
    group: Group, key: str, title: str, found: tuple[bool, str], advice: str, *, worst: State = State.FAILED
) -> Finding:
    """Make a finding. `found` is a pair: whether the check passed, and what was measured. If the check failed, the finding has
    the state `worst` and the given `advice`.
    """
    fine, measured = found
    return Finding(group, key, title, State.OK if fine else worst, measured, "" if fine else advice)


def exit_code(findings: Sequence[Finding]) -> int:
    """Return 2 if a check could not run, otherwise 1 if a check failed, otherwise 0."""
    if any(found.state is State.UNSEEN for found in findings):
        return 2
    return int(any(found.state is State.FAILED for found in findings))


def as_data(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the exit code and all findings, as data for JSON."""
    rows = [{**asdict(found), "group": found.group.name.lower()} for found in findings]
    return {"exit_code": exit_code(findings), "findings": rows}
