"""Requests and responses about submissions."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.judging.nodes.schemas import Device
from api.kit.text import Text

EXAMPLE = "def add_one(x):\n    return x + 1\n"


Slug = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[a-z0-9-]+$")]
Kind = Literal["run", "submit", "scratch"]
StatusName = Literal["queued", "judging", "judged", "cancelled"]
VerdictName = Literal["AC", "WA", "RE", "TLE", "MLE", "OLE", "CE", "RV", "JE"]


class NewSubmission(BaseModel):
    """Source for a challenge. `run` judges the sample tests, `submit` all tests. At most 256 KiB of source."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"slug": "add-one", "source": EXAMPLE, "kind": "submit", "device": "cpu"}}
    )
    slug: Slug
    source: Text
    kind: Literal["run", "submit"]
    device: Device = "cpu"


class NewScratch(BaseModel):
    """Source and a snippet that runs after it. The result shows what the snippet printed. No tests are run."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"slug": "add-one", "source": EXAMPLE, "snippet": "print(add_one(41))"}}
    )
    slug: Slug
    source: Text
    snippet: Text
    device: Device = "cpu"


class SubmissionCard(BaseModel):
    """A submission in a list. `verdict` is null until it is judged, and always null for scratch runs."""

    id: str
    slug: str
    kind: Kind
    device: Device
    status: StatusName
    verdict: VerdictName | None
    score: int
    max_score: int
    cpu_s: float | None
    memory_mb: float | None
    created_at: datetime


class SubmissionPage(BaseModel):
    """One page of submissions, newest first; `next_cursor` is null on the last page."""

    items: list[SubmissionCard]
    next_cursor: str | None


class ExhibitView(BaseModel):
    """The data of a picture that a sample test drew."""

    title: str
    kind: str
    data: dict[str, Any]


class TestView(BaseModel):
    """The result of one test. `line` is a line of the submission's source. Candidates get output and exhibits of samples
    only; a team gets exhibits of every test of its candidates.
    """

    id: str
    title: str
    points: int
    sample: bool
    attested: bool
    verdict: VerdictName
    seconds: float
    message: str
    line: int | None
    stdout: str
    exhibits: list[ExhibitView]


class CompileErrorView(BaseModel):
    """Where and why the source does not compile."""

    message: str
    line: int | None
    column: int | None
    text: str


class Wait(BaseModel):
    """The place in the queue, 1 for the next submission. `reason` says why nothing can be judged at present, null if judging
    works.
    """

    position: int | None
    expected_wait_s: float | None
    reason: str | None


class SubmissionView(SubmissionCard):
    """A submission with its results. `judging` counts its judgings: it is 1 at first, and each rejudge adds one."""

    digest: str
    judging: int
    attempt: int
    message: str
    tests: list[TestView]
    compile_error: CompileErrorView | None
    wall_s: float | None
    output: str
    output_truncated: bool
    environment: dict[str, str]
    queue: Wait | None
    started_at: datetime | None
    ended_at: datetime | None


class SourceView(BaseModel):
    """The source of a submission."""

    source: str
    snippet: str


Limit = Annotated[int, Field(ge=1, le=100)]
