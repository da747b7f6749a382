"""Request and response bodies of a team's own challenges."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.kit.errors import ErrorBody
from api.kit.text import Text

OwnState = Literal["draft", "published", "archived"]
Gate = Literal["unchecked", "waiting", "running", "passed", "failed"]
EntryKind = Literal["function", "class", "module", "autograd_function"]
Slug = Annotated[str, StringConstraints(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
FileName = Annotated[str, StringConstraints(max_length=200)]
Files = Annotated[dict[FileName, Text], Field(max_length=100)]


class NewOwnChallenge(BaseModel):
    """The challenge's name (`slug`), which must be unique within the team. `kind` and `form` select the template files to start
    from.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"slug": "masked-mean", "kind": "function", "form": "write"}}
    )
    slug: Slug
    kind: EntryKind = "function"
    form: Literal["write", "fix"] = "write"


class NewFiles(BaseModel):
    """All files of the challenge, and the version that they are based on."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"version": 1, "files": {"starter.py": "def mean(x): ...\n"}}}
    )
    version: Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
    files: Files


class OwnFinding(BaseModel):
    """A problem that the author must fix. `where` is its place in the files, and `text` describes it."""

    where: str
    text: str


class SavedFinding(OwnFinding):
    """A problem that was found without running the challenge. If `blocks` is false, the gate can run before it is fixed."""

    blocks: bool


class GateTest(BaseModel):
    """A test that the gate found in the challenge."""

    id: str
    title: str
    points: int
    sample: bool = False
    attested: bool = False


class GateAnswer(BaseModel):
    """An answer that the author provided. `verdict` is the expected verdict. `caught_by` is the test that must reject a wrong
    answer.
    """

    name: str
    verdict: str
    caught_by: str = ""


class GateSpoilt(BaseModel):
    """The result of a saboteur, which is a generic automatic change that breaks the reference. `end` is `idle` if the change
    has no effect that a test could notice. `by` is the test that rejected the broken reference, or the author's reason why no
    test needs to reject it.
    """

    id: str
    text: str
    end: Literal["rejected", "survived", "excused", "idle"]
    by: str = ""


class GateMutant(BaseModel):
    """The result of a mutant, which is the reference with one small automatic change, shown in `diff`. `by` is the test that
    rejected the mutant, or the author's reason why no test needs to reject it.
    """

    id: str
    operator: str
    line: int
    diff: str
    end: Literal["killed", "survived", "excused"]
    by: str = ""


class GateReport(BaseModel):
    """The gate's report. `kill_rate` is the share of mutants that a test rejected, from 0 to 1; mutants that the author excused
    are not counted. `fault` is the reason why the gate could not check the challenge, or empty if it could.
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
    """The published version, which can be chosen for assessments. `proven` is false if the gate has not passed it."""

    number: int
    digest: str
    title: str
    summary: str
    difficulty: Literal["easy", "medium", "hard"]
    minutes: int
    points: int
    tests: int
    kill_rate: float
    proven: bool


class OwnCard(BaseModel):
    """A challenge of the team in a list. `name` is the name by which plans refer to the challenge. `version` is the number of
    saves. `number` is the number of the newest version, and `gate` is the state of the gate's check of that version.
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
    """A challenge with the files of its newest version. `findings` are problems that were found without running the challenge.
    While the version is queued for the gate, `waiting` is the number of runs ahead of it. While the gate checks the version,
    `judgings` is the number of finished judgings. `report` is the gate's report, or null if there is none.
    """

    files: dict[str, str]
    findings: list[SavedFinding]
    judgings: int
    waiting: int
    report: GateReport | None


class OwnConflict(ErrorBody):
    """The response if another member has saved the challenge in the meantime. `challenge` is what that member saved."""

    challenge: OwnView
