"""What the gate finds out about one folder: a frozen record that is cached, shown, and written as JSON."""

from typing import Literal

import msgspec

from grader.gate.finding import Finding

LEAST_RATE, LEAST_RATE_OVERALL = 0.8, 0.95


class Spoilt(msgspec.Struct, frozen=True):
    """How a saboteur ended. `by` is the test that rejected it, or the reason why it may pass.

    rejected: by a test. survived: it changes something and no test sees it. excused: survived, with a reason in gate.toml.
    idle: it changes nothing in this challenge.
    """

    id: str
    text: str
    end: Literal["rejected", "survived", "excused", "idle"]
    by: str = ""


class Mutated(msgspec.Struct, frozen=True):
    """How a mutant ended; `diff` is what it changes in the reference."""

    id: str
    operator: str
    line: int
    diff: str
    end: Literal["killed", "survived", "excused"]
    by: str = ""


class Record(msgspec.Struct, frozen=True):
    """One folder, looked at."""

    slug: str
    kind: str = "challenge"
    title: str = ""
    section: str = ""
    findings: tuple[Finding, ...] = ()
    topics: tuple[str, ...] = ()
    tests: int = 0
    accepted: int = 0
    wrong: int = 0
    cpu_s: float = 0.0
    saboteurs: tuple[Spoilt, ...] = ()
    mutants: tuple[Mutated, ...] = ()
    judgings: int = 0
    seconds: float = 0.0
    cached: bool = False

    @property
    def applied(self) -> int:
        """Saboteurs that change something here."""
        return sum(item.end != "idle" for item in self.saboteurs)

    @property
    def rejected(self) -> int:
        """Saboteurs that a test rejects."""
        return sum(item.end == "rejected" for item in self.saboteurs)

    @property
    def made(self) -> int:
        """Mutants that count: equivalent ones, which have their reason in gate.toml, do not."""
        return sum(item.end != "excused" for item in self.mutants)

    @property
    def killed(self) -> int:
        """Mutants that a test saw."""
        return sum(item.end == "killed" for item in self.mutants)

    @property
    def rate(self) -> float:
        """Killed mutants of those that count; 1 when none was made."""
        return self.killed / self.made if self.made else 1.0


def overall(records: list[Record]) -> float:
    """The kill rate of several challenges taken together."""
    made = sum(record.made for record in records)
    return sum(record.killed for record in records) / made if made else 1.0
