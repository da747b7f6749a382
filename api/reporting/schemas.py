"""What a team is told about an assessment as a whole. Shares lie between 0 and 1; times are seconds."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api.participations.watching_schemas import FinishedBy, SignalCounts
from api.reviews.schemas import DecisionName
from api.submissions.schemas import VerdictName

Attempts = Literal["best", "last"]


class ItemResult(BaseModel):
    """What an item came to for one person, with points by hand. `seconds`: from its opening to the first accepted answer, or
    without one to the last
    answer; null if nothing was sent.
    """

    position: int
    kind: Literal["challenge", "quiz"]
    name: str
    points: int
    score: float
    verdict: VerdictName | None
    sent: int
    unfinished: int
    seconds: int | None


class PersonResult(BaseModel):
    """The participation that counts for one person. `similarity`: the largest share of an answer that is also in another one;
    null if nothing above the threshold was found, or nobody has looked.
    """

    participation_id: str
    name: str
    email: str
    number: int
    version: int
    started_at: datetime
    finished_at: datetime
    finished_by: FinishedBy
    seconds: int
    score: float
    points: int
    share: float
    noticed: SignalCounts
    similarity: float | None
    decision: DecisionName
    items: list[ItemResult]


class ItemFigures(BaseModel):
    """An item over everybody who got it. `solved`: how many reached all points; `difficulty`: mean share of the points that was
    reached (1: everybody got everything); `discrimination`: correlation with the rest of the assessment, null for fewer than
    five people or where all are alike.
    """

    kind: Literal["challenge", "quiz"]
    name: str
    title: str
    points: int
    people: int
    answered: int
    solved: int
    difficulty: float
    discrimination: float | None
    median_s: float | None


class Results(BaseModel):
    """An assessment as a whole. Figures are about people who finished; of several attempts `attempts` says which one counts.
    `distribution` counts people by tenths of the points. `left_out`: older participations beyond what is looked at.
    """

    assessment: str
    version: int | None
    versions: list[int]
    attempts: Attempts
    started: int
    finished: int
    unfinished: int
    left_out: int
    mean: float | None
    median: float | None
    median_s: float | None
    distribution: list[int]
    items: list[ItemFigures]
    people: list[PersonResult]


class ResultsFile(BaseModel):
    """The results as a file. Fields may be added; a change of their meaning makes another `format`."""

    format: Literal["gradus-results-1"] = "gradus-results-1"
    made_at: datetime
    team: str
    results: Results


class LastAnswer(BaseModel):
    """What somebody sent last for a challenge."""

    participation_id: str
    name: str
    sent_at: datetime
    verdict: VerdictName | None
    source: str


class LastAnswers(BaseModel):
    """Answers of several people to one challenge, in the order in which they were asked for."""

    items: list[LastAnswer]


class Side(BaseModel):
    """One of two answers. A `reference` is an accepted answer from the catalogue, and nobody's; `elsewhere` names the other
    assessment of the team in which it was sent.
    """

    participation_id: str | None = None
    name: str
    elsewhere: str | None = None
    reference: bool = False
    share: float


class SimilarPair(BaseModel):
    """Two answers that share passages. `tokens`: how much of the left one is in the right one."""

    id: str
    slug: str
    title: str
    left: Side
    right: Side
    tokens: int


class Similarity(BaseModel):
    """What the newest look found, most first. `made_at` is null if nobody has looked; `fresh`: nothing was sent since.
    `threshold`: a pair is listed if so much of one answer is in the other.
    """

    made_at: datetime | None
    fresh: bool
    answers: int
    threshold: float
    pairs: list[SimilarPair]


class Passage(BaseModel):
    """Lines that both have, first and last, counted from 1."""

    left: tuple[int, int]
    right: tuple[int, int]


class PairInFull(SimilarPair):
    """A pair with its sources."""

    left_source: str
    right_source: str
    passages: list[Passage]
