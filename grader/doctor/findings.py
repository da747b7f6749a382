"""What the doctor found: one line a thing looked at, with what was measured and what to do about it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class State(StrEnum):
    """How a line stands. `unseen` is not a failure: something else has to be mended before it can be looked at."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    UNSEEN = "unseen"


class Group(StrEnum):
    """Lines that belong together, in the order in which they are shown."""

    ENGINE = "Engine and image"
    ISOLATION = "Isolation"
    HOST = "Host"
    SPEED = "Speed and quiet"
    GPU = "GPU"


@dataclass(frozen=True)
class Finding:
    """One line; no `advice` when there is nothing to do. While one of Group.ISOLATION fails, nothing may be judged here."""

    group: Group
    key: str
    title: str
    state: State
    measured: str
    advice: str = ""


def line(
    group: Group, key: str, title: str, found: tuple[bool, str], advice: str, *, worst: State = State.FAILED
) -> Finding:
    """A line that is ok if `found` starts with True, else as bad as `worst`; the advice goes along only then."""
    fine, measured = found
    return Finding(group, key, title, State.OK if fine else worst, measured, "" if fine else advice)


def exit_code(findings: Sequence[Finding]) -> int:
    """0 when nothing failed, 1 when something that must hold does not, 2 when it could not be looked at."""
    if any(found.state is State.UNSEEN for found in findings):
        return 2
    return int(any(found.state is State.FAILED for found in findings))


def as_data(findings: Sequence[Finding]) -> dict[str, Any]:
    """For machines: the exit code and every line, its group by its name in lower case."""
    rows = [{**asdict(found), "group": found.group.name.lower()} for found in findings]
    return {"exit_code": exit_code(findings), "findings": rows}
