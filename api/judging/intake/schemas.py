"""Requests and responses about submissions."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.judging.nodes.schemas import Device
from api.kit.text import Text

EXAMPLE = "def add_one(x):\n    return x + 1\n"


Slug = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[a-z0-9-]+$")]
Kind = Literal["run", "submit", "scratch", "compare"]
StatusName = Literal["queued", "judging", "judged", "cancelled"]
VerdictName = Literal["AC", "WA", "RE", "TLE", "MLE", "OLE", "CE", "RV", "JE"]


class NewSubmission(BaseModel):
    """An answer to a challenge. With the kind `run`, it is judged with the sample tests only; with the kind `submit`, with all
    tests. `source` may have at most 256 KiB. Without `device`, the CPU judges, or the GPU if the challenge needs one.
    """

    model_config = ConfigDict(
        json_schema_extra={"example": {"slug": "add-one", "source": EXAMPLE, "kind": "submit", "device": "cpu"}}
    )
    slug: Slug
    source: Text
    kind: Literal["run", "submit"]
    device: Device | None = None


class NewScratch(BaseModel):
    """Source code for a challenge, and a snippet that runs after it. No tests are run. Without `device`, the CPU runs it, or the
    GPU if the challenge needs one.
    """

    model_config = ConfigDict(
        json_schema_extra={"example": {"slug": "add-one", "source": EXAMPLE, "snippet": "print(add_one(41))"}}
    )
    slug: Slug
    source: Text
    snippet: Text
    device: Device | None = None


class SubmissionCard(BaseModel):
    """A submission in a list. `verdict` is null until the submission is judged. For scratch runs it is always null, because
    they run no tests.
    """

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
    """A picture that a test drew, as data: `kind` says how to draw `data`."""

    title: str
    kind: str
    data: dict[str, Any]


class TestView(BaseModel):
    """The result of one test. `line` is the line of the submitted source to which the result refers. The submitter gets the
    output and the exhibits (pictures that a test drew) of sample tests only. A team that assesses a candidate gets the exhibits
    of all tests.
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
    """The place of a submission in the queue. The submission that is judged next has `position` 1. `reason` says why nothing
    can be judged at present, or is null if judging works.
    """

    position: int | None
    expected_wait_s: float | None
    reason: str | None


class SubmissionView(SubmissionCard):
    """A submission with its results. `judging` is the number of the judging that is shown: 1 for the first one, and more after
    the submission was judged again.
    """

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
