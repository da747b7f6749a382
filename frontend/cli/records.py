"""What the service answers, as far as this client reads it. Fields that are not known here are passed over.

A field with a default may be missing: another version of the service has no such thing.
"""

from datetime import datetime
from typing import Any

import msgspec


class Record(msgspec.Struct, frozen=True):
    """Base of everything that comes from the service."""


class Health(Record, frozen=True):
    """The service's own version."""

    version: str


class Account(Record, frozen=True):
    """Who a token belongs to."""

    name: str
    email: str
    role: str


class NewToken(Record, frozen=True):
    """A token that was just made; `hint` is how its beginning is shown in lists."""

    id: str
    token: str


class Token(Record, frozen=True):
    """A token in a list, without its secret."""

    id: str
    name: str
    hint: str


class Tokens(Record, frozen=True):
    """All tokens of an account."""

    items: list[Token]


class Card(Record, frozen=True):
    """A challenge in a list."""

    slug: str
    title: str
    section: str
    difficulty: str
    minutes: int
    points: int
    summary: str = ""
    topics: list[str] = []
    form: str = "write"


class Cards(Record, frozen=True):
    """One page of the catalogue."""

    items: list[Card]
    total: int
    next_cursor: str | None


class Sample(Record, frozen=True):
    """A sample test."""

    name: str
    title: str
    source: str


class Limits(Record, frozen=True):
    """Ceilings of one judging."""

    cpu_s: float
    memory_mb: int


class Challenge(Card, frozen=True, kw_only=True):
    """A challenge with all that a candidate may read."""

    digest: str
    statement: str
    starter: str
    limits: Limits
    why: str = ""
    hints_count: int = 0
    given: str = ""
    probes: str = ""
    samples: list[Sample] = []
    tests_count: int = 0


class Hints(Record, frozen=True):
    """The hints of a challenge."""

    hints: list[str]


class Stage(Record, frozen=True):
    """A leg of a track: what matters here are the challenges of its topics."""

    title: str
    topics: list["StageTopic"]


class StageTopic(Record, frozen=True):
    """A topic of a track."""

    id: str
    challenges: list[str]


class Track(Record, frozen=True):
    """Topics in order."""

    id: str
    title: str
    stages: list[Stage]


class Exhibit(Record, frozen=True):
    """Picture data of a sample test."""

    title: str
    kind: str
    data: dict[str, Any]


class Test(Record, frozen=True):
    """How one test ended."""

    id: str
    title: str
    points: int
    sample: bool
    verdict: str
    seconds: float
    message: str = ""
    line: int | None = None
    stdout: str = ""
    attested: bool = False
    exhibits: list[Exhibit] = []


class Place(Record, frozen=True):
    """Where a submission stands in the queue; `reason` says why nothing is judged at present."""

    position: int | None = None
    expected_wait_s: float | None = None
    reason: str | None = None
    again: bool = False


class TestEnded(Record, frozen=True):
    """One test of a judging has ended."""

    test: Test
    total: int


class CompileError(Record, frozen=True):
    """Where the source does not compile."""

    message: str
    line: int | None = None
    column: int | None = None
    text: str = ""


class Sent(Record, frozen=True):
    """A submission in a list. `verdict` is null until it is judged."""

    id: str
    slug: str
    kind: str
    status: str
    verdict: str | None
    score: int
    max_score: int
    cpu_s: float | None
    memory_mb: float | None
    created_at: datetime


class SentPage(Record, frozen=True):
    """One page of submissions, newest first."""

    items: list[Sent]
    next_cursor: str | None


class Submission(Sent, frozen=True, kw_only=True):
    """A submission with all that is known of its judging."""

    message: str = ""
    tests: list[Test] = []
    compile_error: CompileError | None = None
    output: str = ""
    output_truncated: bool = False
    queue: Place | None = None

    @property
    def unfinished(self) -> bool:
        """Whether a verdict is still to come."""
        return self.status in ("queued", "judging")


class Problem(Record, frozen=True):
    """How every refusal is answered."""

    code: str
    message: str


class Ranked(Record, frozen=True):
    """Somebody on a leaderboard."""

    rank: int
    id: str
    name: str
    points: int
    solved: int
    took_s: float | None = None


class Board(Record, frozen=True):
    """A page of a leaderboard; `mine` is one's own place, when one asked for it."""

    items: list[Ranked]
    total: int
    mine: Ranked | None = None
    reason: str | None = None


class Part(Record, frozen=True):
    """An option, a side or a step of a question."""

    id: str
    text: str


class Mark(Record, frozen=True):
    """What an answer to a question came to."""

    right: bool
    points: int
    reasons: list[str]
    explanation: str


class Question(Record, frozen=True):
    """A question of a quiz as it is put."""

    id: str
    kind: str
    prompt: str
    points: int
    single: bool = False
    parts: list[Part] = []
    others: list[Part] = []
    unit: str = ""
    code: str = ""
    ask: str | None = None
    of: str = ""
    mark: Mark | None = None


class Attempt(Record, frozen=True):
    """An attempt at a quiz."""

    id: str
    questions: list[Question]
    points: int
    max_points: int
