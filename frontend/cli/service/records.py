"""Defines the service's responses, with the fields that this client uses. Other fields of a response are ignored.

Some fields have defaults, because the client must also work with versions of the service that do not send these fields.
"""

from datetime import datetime
from typing import Any

import msgspec


class Record(msgspec.Struct, frozen=True):
    """Base class of all responses."""


class Health(Record, frozen=True):
    """The version of the service."""

    version: str


class Account(Record, frozen=True):
    """The owner of a token."""

    name: str
    email: str
    role: str


class NewToken(Record, frozen=True):
    """A newly created token. `token` is its secret."""

    id: str
    token: str


class Token(Record, frozen=True):
    """A token in the account's list of tokens. `hint` contains the first characters of the token's secret."""

    id: str
    name: str
    hint: str


class Tokens(Record, frozen=True):
    items: list[Token]


class Card(Record, frozen=True):
    """A challenge in a list of challenges."""

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
    name: str
    title: str
    source: str


class Limits(Record, frozen=True):
    """The limits of a judging."""

    cpu_s: float
    memory_mb: int


class Challenge(Card, frozen=True, kw_only=True):
    """A challenge with everything that a candidate may read."""

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
    hints: list[str]


class Stage(Record, frozen=True):
    """A stage of a track: a part of the track's list of topics."""

    title: str
    topics: list["StageTopic"]


class StageTopic(Record, frozen=True):
    id: str
    challenges: list[str]


class Track(Record, frozen=True):
    """A track: a list of topics in the order in which to learn them."""

    id: str
    title: str
    stages: list[Stage]


class Exhibit(Record, frozen=True):
    """The data of a chart of a sample test."""

    title: str
    kind: str
    data: dict[str, Any]


class Test(Record, frozen=True):
    """The result of one test."""

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
    """The place of a submission in the queue. `position` is counted from 1. `reason` says why no machine can judge at present,
    or is None if one can. `again` means that the submission is back in the queue after its machine was lost.
    """

    position: int | None = None
    expected_wait_s: float | None = None
    reason: str | None = None
    again: bool = False


class TestEnded(Record, frozen=True):
    """The data of the event that the service sends when a test has ended."""

    test: Test
    total: int


class CompileError(Record, frozen=True):
    """The place in the answer's source where compilation failed, and the error's message."""

    message: str
    line: int | None = None
    column: int | None = None
    text: str = ""


class SubmissionSummary(Record, frozen=True):
    """A submission in a list of submissions. `verdict` is None until the submission is judged."""

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


class SubmissionPage(Record, frozen=True):
    """One page of submissions, newest first."""

    items: list[SubmissionSummary]
    next_cursor: str | None


class Submission(SubmissionSummary, frozen=True, kw_only=True):
    """A submission with its results."""

    device: str = "cpu"
    message: str = ""
    tests: list[Test] = []
    compile_error: CompileError | None = None
    output: str = ""
    output_truncated: bool = False
    queue: Place | None = None

    @property
    def unfinished(self) -> bool:
        """Whether the submission is still in the queue or being judged."""
        return self.status in ("queued", "judging")


class OwnInputExample(Record, frozen=True):
    """A function or module that can be compared with the reference, and an example of an input that calls it."""

    name: str
    input: str


class OwnInputOffer(Record, frozen=True):
    """The functions and modules of a challenge that can be compared with the reference on an own input. `left` is how many
    inputs the account can still send within the hour.
    """

    examples: list[OwnInputExample]
    left: int


class Problem(Record, frozen=True):
    """The body of every error response."""

    code: str
    message: str


class Ranked(Record, frozen=True):
    """An account on a leaderboard, with its place."""

    rank: int
    id: str
    name: str
    points: int
    solved: int
    took_s: float | None = None


class Board(Record, frozen=True):
    """A page of a leaderboard. `mine` is the user's own place. It is None if the user has no place; `reason` then says why."""

    items: list[Ranked]
    total: int
    mine: Ranked | None = None
    reason: str | None = None


class Part(Record, frozen=True):
    """A part of a question: an option, one side of a pair, or a step."""

    id: str
    text: str


class Mark(Record, frozen=True):
    """The result for an answer to a question."""

    right: bool
    points: int
    reasons: list[str]
    explanation: str


class Question(Record, frozen=True):
    """A question of a quiz. `mark` is the result of the user's answer, or None if the user has not answered the question."""

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
    id: str
    questions: list[Question]
    points: int
    max_points: int
