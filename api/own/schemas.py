"""What a team's own challenges look like over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.errors import ErrorBody
from api.text import Text

OwnState = Literal["draft", "published", "archived"]
Gate = Literal["unchecked", "waiting", "running", "passed", "failed"]
EntryKind = Literal["function", "class", "module", "autograd_function"]
Slug = Annotated[str, StringConstraints(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
FileName = Annotated[str, StringConstraints(max_length=200)]
Files = Annotated[dict[FileName, Text], Field(max_length=100)]


class NewOwnChallenge(BaseModel):
    """A name within the team, and what its scaffold asks for."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"slug": "masked-mean", "kind": "function", "form": "write"}}
    )
    slug: Slug
    kind: EntryKind = "function"
    form: Literal["write", "fix"] = "write"


class NewFiles(BaseModel):
    """The whole folder as it is to be, and the version that it was made from."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"version": 1, "files": {"starter.py": "def mean(x): ...\n"}}}
    )
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
    files: Files


class OwnFinding(BaseModel):
    """What an author has to mend: where, and what to do."""

    where: str
    text: str


class GateTest(BaseModel):
    """A test as the gate collected it."""

    id: str
    title: str
    points: int
    sample: bool = False
    attested: bool = False


class GateAnswer(BaseModel):
    """An answer of the folder; `caught_by` is the test that must reject a wrong one."""

    name: str
    verdict: str
    caught_by: str = ""


class GateSpoilt(BaseModel):
    """How a saboteur ended; `by` is the test that rejected it, or why it may pass."""

    id: str
    text: str
    end: Literal["rejected", "survived", "excused", "idle"]
    by: str = ""


class GateMutant(BaseModel):
    """How a mutant of the reference ended; `diff` is what it changes."""

    id: str
    operator: str
    line: int
    diff: str
    end: Literal["killed", "survived", "excused"]
    by: str = ""


class GateReport(BaseModel):
    """What the gate found. `kill_rate`: mutants that a test saw, of those that count, from 0 to 1. `fault`: why it could not
    look.
    """

    fault: str = ""
    findings: list[OwnFinding] = []
    lock: list[GateTest] = []
    answers: list[GateAnswer] = []
    saboteurs: list[GateSpoilt] = []
    mutants: list[GateMutant] = []
    kill_rate: float = 0.0
    judgings: int = 0
    seconds: float = 0.0
    cpu_s: float = 0.0


class PublishedView(BaseModel):
    """The version that can be chosen for assessments."""

    number: int
    digest: str
    title: str
    summary: str
    difficulty: Literal["easy", "medium", "hard"]
    minutes: int
    points: int
    tests: int
    kill_rate: float


class OwnCard(BaseModel):
    """A challenge of the team's in a list. `name` is what a plan calls it; `version` counts savings, `number` the versions;
    `gate` is how that stands on the newest.
    """

    id: str
    slug: str
    name: str
    title: str
    state: OwnState
    version: int
    number: int
    gate: Gate
    created_by: str | None
    created_at: datetime
    saved_at: datetime
    published: PublishedView | None


class OwnPage(BaseModel):
    """One page of a team's challenges, newest first; `next_cursor` is null on the last page."""

    items: list[OwnCard]
    next_cursor: str | None


class OwnView(OwnCard):
    """A challenge with the files of its newest version. `findings` is what can be said without running it, `judgings` how far
    the gate is, `waiting` how many runs are before it. `report` is the gate's.
    """

    files: dict[str, str]
    findings: list[OwnFinding]
    judgings: int
    waiting: int
    report: GateReport | None


class OwnConflict(ErrorBody):
    """Somebody else saved meanwhile; `challenge` is what is there now."""

    challenge: OwnView
