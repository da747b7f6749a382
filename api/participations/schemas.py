"""What travels between a candidate and the service."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from api.accounts.schemas import Name
from api.assessments.plan import Recorded, Verdicts
from api.catalogue.schemas import ChallengeView
from api.judging.schemas import Device
from api.quizzes.schemas import MarkView, QuestionView
from api.reviews.schemas import ManualView
from api.submissions.schemas import StatusName, SubmissionCard, VerdictName
from api.text import CleanLine, Text

BATCH_KB, BATCHES, EVENTS, SIGNALS = 64, 5000, 2000, 200
Place = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
EXAMPLE_EDIT: dict[str, Any] = {"t_ms": 1500, "from": 0, "to": 0, "text": "import torch\n"}


class TakeView(BaseModel):
    """What somebody is told before the time runs; nothing of the items. `running`: it was started, and can be gone on with, as
    the participation of this id.
    """

    team: str
    assessment: str
    name: str
    minutes: int
    extra_minutes: int
    opens_at: datetime | None
    closes_at: datetime | None
    expires_at: datetime
    attempts_left: int
    running: bool
    participation_id: str | None
    server_time: datetime
    verdicts: Verdicts
    instructions: str
    honour: str
    allowed: str
    recorded: list[Recorded]
    practice: str | None
    retention_days: int


class NewStart(BaseModel):
    """The name under which the team sees you. `honour`: you agree to the statement, if there is one."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "Eve", "honour": True}})
    name: Name
    honour: StrictBool


class ItemCard(BaseModel):
    """Something to do. Verdict and score are null while they are not shown. A quiz counts its answers as `sent`."""

    position: int
    kind: Literal["challenge", "quiz"]
    title: str
    points: int
    opened_at: datetime | None
    sent: int
    unfinished: int
    verdict: VerdictName | None
    score: float | None


class SectionView(BaseModel):
    """Items in their order. `deadline`: the last moment for this section; its own `minutes` run from its first opening."""

    key: str
    title: str
    minutes: int | None
    opened_at: datetime | None
    deadline: datetime
    items: list[ItemCard]


class ParticipationView(BaseModel):
    """Where a participation stands. What arrives at `deadline` counts; compare it with `server_time`, not with your own clock."""

    id: str
    team: str
    assessment: str
    name: str
    number: int
    server_time: datetime
    started_at: datetime
    deadline: datetime
    left_s: int
    extra_s: int
    given_back_s: int
    finished_at: datetime | None
    finished_by: Literal["candidate", "deadline", "team"] | None
    verdicts: Verdicts
    instructions: str
    allowed: str
    recorded: list[Recorded]
    sections: list[SectionView]


class KeptDraft(BaseModel):
    """What is kept of an item; `revision` is the highest sequence that arrived."""

    source: str
    revision: int
    saved_at: datetime | None


class QuizItem(BaseModel):
    """Questions of an item; a mark is there when it may be shown. `answered` names what was answered."""

    topic: str
    questions: list[QuestionView]
    answered: list[str]


class OpenedItem(BaseModel):
    """An item, opened: a challenge with your draft and what you sent, newest first; or a quiz."""

    position: int
    kind: Literal["challenge", "quiz"]
    points: int
    deadline: datetime
    challenge: ChallengeView | None = None
    draft: KeptDraft | None = None
    sent: list[SubmissionCard] = []
    quiz: QuizItem | None = None


class Edit(BaseModel):
    """`text` took the place of what stood from `from` to `to` (in UTF-16 units, as browsers count), `t_ms` after the item was
    opened. The first edit of an item puts its starter in the place of whatever stood there.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE_EDIT})
    t_ms: Place
    from_: Annotated[Place, Field(alias="from")]
    to: Place
    text: Text


class Signal(BaseModel):
    """A paste of `size` characters (into a snippet, if `detail` says so), or the page left (`blur`) or entered (`focus`). One
    that comes again with the same `key`, which its sender draws, counts once.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"kind": "paste", "size": 312}})
    kind: Literal["paste", "blur", "focus"]
    size: Place = 0
    detail: Annotated[str, StringConstraints(max_length=200), CleanLine] = ""
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] | None = None


class Autosave(BaseModel):
    """The source as it is now, and the edits since the last batch. `sequence` counts the batches of an item from 1: one that
    was lost on its way may be sent again. At most 64 KiB of edits.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"source": "import torch\n", "sequence": 1, "edits": [EXAMPLE_EDIT]}},
    )
    source: Text
    sequence: Annotated[int, Field(strict=True, ge=1, le=BATCHES)]
    edits: Annotated[list[Edit], Field(max_length=EVENTS)] = []
    signals: Annotated[list[Signal], Field(max_length=SIGNALS)] = []


class Saved(BaseModel):
    """What is kept now, and how much time is left."""

    revision: int
    saved_at: datetime
    deadline: datetime
    left_s: int


class NewAttempt(BaseModel):
    """Source for a challenge of the assessment: `run` judges its samples, `submit` counts."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"source": "def add_one(x):\n    return x + 1\n", "kind": "submit"}},
    )
    source: Text
    kind: Literal["run", "submit"]
    device: Device = "cpu"


class NewSnippet(BaseModel):
    """Source and a snippet that runs after it; what the snippet prints is shown. No tests are run, and nothing counts."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {"source": "def add_one(x):\n    return x + 1\n", "snippet": "print(add_one(41))"}
        },
    )
    source: Text
    snippet: Text
    device: Device = "cpu"


class NewSignals(BaseModel):
    """What was noticed while a quiz was answered. Of a challenge it comes with the drafts. Give each a `key`, and it may be sent
    again when no reply came.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"signals": [{"kind": "blur"}]}})
    signals: Annotated[list[Signal], Field(min_length=1, max_length=SIGNALS)]


class Answered(BaseModel):
    """The answer is kept. `mark` when it may be shown."""

    question: str
    mark: MarkView | None


class ScoredItem(BaseModel):
    """What an item came to. `score` is of its points; the best of what was sent in time counts. `adjusted` is the score with
    the points that somebody gave by hand, which `manual` tells.
    """

    position: int
    section_key: str
    kind: Literal["challenge", "quiz"]
    name: str
    points: int
    opened_at: datetime | None
    sent: int
    unfinished: int
    verdict: VerdictName | None
    score: float
    adjusted: float
    manual: ManualView | None
    status: StatusName | None = None
