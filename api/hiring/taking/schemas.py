"""Request and response bodies for candidates."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.content.catalogue.schemas import ChallengeView
from api.hiring.plans.plan import AssistantPolicy, Feedback, Kind, Recorded, Verdicts
from api.hiring.review_records.schemas import ManualView
from api.hiring.taking.question_items import QuizItem, TextQuestion
from api.judging.intake.schemas import StatusName, SubmissionCard, VerdictName
from api.judging.nodes.schemas import Device
from api.kit.text import CleanLine, Text

BATCH_KB, BATCHES, EVENTS, SIGNALS = 64, 5000, 2000, 200
Place = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
EXAMPLE_EDIT: dict[str, Any] = {"t_ms": 1500, "from": 0, "to": 0, "text": "import torch\n"}


class ItemCard(BaseModel):
    """An item. Verdict and score are null while they are hidden. For a quiz, `sent` is the number of answered questions out
    of `asked`; otherwise, `asked` is 1. `awaits_review` is true if your text has no points yet, because a reviewer gives them; it
    is only told with the results. `submissions_left` is null if the number of submissions is not limited.

    If `has_follow_up` is true, handing in the item closes it and opens a follow-up, which then is the next item. `handed_in_at`
    is when that happened. `is_follow_up` is true for such a follow-up; it is not listed before.
    """

    position: int
    kind: Kind
    title: str
    points: int
    opened_at: datetime | None
    asked: int
    sent: int
    unfinished: int
    verdict: VerdictName | None
    score: float | None
    awaits_review: bool
    submissions_left: int | None
    is_follow_up: bool
    has_follow_up: bool
    handed_in_at: datetime | None


class SectionView(BaseModel):
    """A section with its items in order. `deadline` is the last moment at which a submission or an answer counts for the
    section. The time limit `minutes` starts when the first item of the section is opened. `assistant` says whether you may
    use an AI assistant.
    """

    key: str
    title: str
    minutes: int | None
    assistant: AssistantPolicy
    opened_at: datetime | None
    deadline: datetime
    items: list[ItemCard]


class TestDriveOf(BaseModel):
    """The team and the assessment to which a test drive belongs, with whose IDs the client links to its report."""

    team_id: str
    assessment_id: str


class ParticipationView(BaseModel):
    """The state of a participation. Requests that arrive at or before `deadline` count. Compare `deadline` with `server_time`,
    not with your own clock. `test_drive` is null unless this is the test drive of a team's member.
    """

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
    test_drive: TestDriveOf | None


class KeptDraft(BaseModel):
    """The saved text of an item. `revision` is the highest sequence number of a batch of edits that was received."""

    source: str
    revision: int
    saved_at: datetime | None


class SubmissionRules(BaseModel):
    """The rules for submitting answers to a challenge. `feedback` says what is shown of a result once verdicts are shown.
    `submissions` is how many answers you can submit, and `left` how many of them are left; null means any number. `pause_s`
    is how many seconds must pass between two of them, and `next_at` when the next one can be submitted.
    """

    feedback: Feedback
    submissions: int | None
    left: int | None
    pause_s: int | None
    next_at: datetime | None


class OpenedItem(BaseModel):
    """An opened item: a challenge with your draft and your submissions, newest first; a quiz; or a question. A question that you
    answer with options or a number is a `quiz` with one question. A question that you answer with a text has a draft.
    `own_answer` is the code with which a follow-up starts: your answer to the item before it. It is null for other items, and if
    you wrote no answer.
    """

    position: int
    kind: Kind
    points: int
    deadline: datetime
    challenge: ChallengeView | None = None
    draft: KeptDraft | None = None
    sent: list[SubmissionCard] = []
    rules: SubmissionRules | None = None
    quiz: QuizItem | None = None
    own_answer: str | None = None
    question: TextQuestion | None = None


class Edit(BaseModel):
    """An edit: `text` replaced the range from `from` to `to`, `t_ms` milliseconds after the item was opened. The range is
    counted in UTF-16 units, as browsers count. The first edit of an item inserts the starter code.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE_EDIT})
    t_ms: Place
    from_: Annotated[Place, Field(alias="from")]
    to: Place
    text: Text


class Signal(BaseModel):
    """A signal. `paste` is a paste of `size` characters; its `detail` says whether the text was pasted into a snippet. `blur`
    means that the candidate left the page, and `focus` that the candidate entered it. The sender chooses a random `key`, so
    that a signal that is sent again is stored only once.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"kind": "paste", "size": 312}})
    kind: Literal["paste", "blur", "focus"]
    size: Place = 0
    detail: Annotated[str, StringConstraints(max_length=200), CleanLine] = ""
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")] | None = None


class Autosave(BaseModel):
    """The current source or text, and the edits since the last batch. `sequence` counts the batches of an item, starting at 1. A
    batch whose response was lost can be sent again. A batch contains at most 64 KiB of edits.
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
    """The state of the saved draft, and how many seconds are left."""

    revision: int
    saved_at: datetime
    deadline: datetime
    left_s: int


class NewAttempt(BaseModel):
    """Source code for a challenge of the assessment. With the kind `run`, only the sample tests are judged; with the kind
    `submit`, the code counts as an answer. Without `device`, the CPU judges, or the GPU if the challenge needs one.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"source": "def add_one(x):\n    return x + 1\n", "kind": "submit"}},
    )
    source: Text
    kind: Literal["run", "submit"]
    device: Device | None = None


class NewSnippet(BaseModel):
    """Source code, and a snippet that runs after it. The snippet's output is shown. No tests are run, and the result does not
    count. Without `device`, the CPU runs it, or the GPU if the challenge needs one.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {"source": "def add_one(x):\n    return x + 1\n", "snippet": "print(add_one(41))"}
        },
    )
    source: Text
    snippet: Text
    device: Device | None = None


class NewSignals(BaseModel):
    """Signals that are recorded while a quiz is answered. For code and texts, signals are sent with the drafts instead. A signal
    with a `key` can be sent again if its response was lost.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"signals": [{"kind": "blur"}]}})
    signals: Annotated[list[Signal], Field(min_length=1, max_length=SIGNALS)]


class ScoredItem(BaseModel):
    """The result of an item. `score` is out of `points`; for a challenge, it is the score of the best submission in time.
    `adjusted` is the score including manual points, which are in `manual`. `sent` is the number of submissions or answers, and
    `unfinished` is how many of them are not judged yet. `to_review` is `points` if the answer is a text that no reviewer has
    graded since it was last changed, and otherwise 0. A follow-up (`is_follow_up`) follows the item before it, and opens when
    that item is handed in.
    """

    position: int
    section_key: str
    kind: Kind
    name: str
    points: int
    opened_at: datetime | None
    sent: int
    unfinished: int
    verdict: VerdictName | None
    score: float
    adjusted: float
    to_review: int
    manual: ManualView | None
    status: StatusName | None = None
    is_follow_up: bool = False
    handed_in_at: datetime | None = None

    @property
    def answers_pending(self) -> int:
        """How many answers have no final points yet: those that are being judged, and a text that no reviewer has graded."""
        return self.unfinished + (self.to_review > 0)
