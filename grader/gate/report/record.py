"""Defines the record of the gate's results for one folder. Records are cached, shown to authors, and written as JSON."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from grader.content.authoring.finding import Finding

LEAST_RATE, LEAST_RATE_OVERALL = 0.8, 0.95


class SaboteurResult(msgspec.Struct, frozen=True):
    """The outcome of a saboteur.

    `end` is one of four values:

    - "rejected": a test failed.
    - "survived": a test could notice the saboteur's change, but no test failed.
    - "excused": the saboteur survived, and `by` contains a reason why the tests may accept it.
    - "idle": the saboteur changes nothing that a test could notice.

    `by` is the test that rejected the saboteur, or the reason that excuses the saboteur, otherwise empty.
    """

    id: str
    text: str
    end: Literal["rejected", "survived", "excused", "idle"]
    by: str = ""


class MutantResult(msgspec.Struct, frozen=True):
    """The outcome of a mutant. `diff` shows what the mutant changes in the reference. If `end` is "killed", the test `by`
    rejected the mutant. The other values of `end` and `by` mean the same as in SaboteurResult.
    """

    id: str
    operator: str
    line: int
    diff: str
    end: Literal["killed", "survived", "excused"]
    by: str = ""


class Counted(msgspec.Struct, frozen=True):
    """The number of rejected saboteurs and the number of killed mutants that a record counts but does not list."""

    rejected: int = 0
    killed: int = 0


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """The results for one folder. `more` counts the rejected saboteurs and killed mutants that the record does not list.
    `milliseconds` is how long the reference needs for each test, in the order of tests.lock.
    """

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
    milliseconds: tuple[int, ...] = ()
    saboteurs: tuple[SaboteurResult, ...] = ()
    mutants: tuple[MutantResult, ...] = ()
    more: Counted = Counted()
    judgings: int = 0
    seconds: float = 0.0
    cached: bool = False

    @property
    def applied(self) -> int:
        """The number of saboteurs that are not idle in this challenge."""
        return self.more.rejected + sum(item.end != "idle" for item in self.saboteurs)

    @property
    def rejected(self) -> int:
        """The number of saboteurs that a test rejected."""
        return self.more.rejected + sum(item.end == "rejected" for item in self.saboteurs)

    @property
    def made(self) -> int:
        """The number of mutants, without those that gate.toml excuses as equivalent to the reference."""
        return self.more.killed + sum(item.end != "excused" for item in self.mutants)

    @property
    def killed(self) -> int:
        """The number of mutants that a test rejected."""
        return self.more.killed + sum(item.end == "killed" for item in self.mutants)

    @property
    def rate(self) -> float:
        """The share of mutants that the tests killed; 1 if there are no mutants."""
        return self.killed / self.made if self.made else 1.0

    def counted(self) -> "Record":
        """Return a shorter record, as gate.lock stores it. The shorter record counts the saboteurs and mutants that the tests
        rejected, but does not list them. It leaves out idle saboteurs.
        """
        return replace(
            self,
            saboteurs=tuple(item for item in self.saboteurs if item.end in ("survived", "excused")),
            mutants=tuple(item for item in self.mutants if item.end != "killed"),
            more=Counted(self.rejected, self.killed),
        )


def overall(records: list[Record]) -> float:
    """Return the share of all challenges' mutants that the tests killed; 1 if there are no mutants."""
    made = sum(record.made for record in records)
    return sum(record.killed for record in records) / made if made else 1.0
