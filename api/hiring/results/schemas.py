"""Response bodies of results. Shares are between 0 and 1; times are in seconds."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api.hiring.monitoring.schemas import FinishedBy, SignalCounts
from api.hiring.plans.plan import Kind
from api.hiring.review_records.schemas import DecisionName
from api.hiring.team_comparison.schemas import ComparedGroup
from api.judging.intake.schemas import VerdictName

Attempts = Literal["best", "last"]


class ItemResult(BaseModel):
    """The result of an item for one candidate. `score` includes manual points. `to_review` is `points` if the answer is a text
    that no reviewer has graded yet, and otherwise 0. `seconds` is how long the candidate worked on the item, as in the
    candidate's report; it is null if the candidate did not open it. `variant` says which variant of the challenge the candidate
    got; it is empty for a plain challenge and other kinds. `better_than` is the share of candidates of all teams that share their
    results who got fewer points, or null if the item is not compared (see `compared` of its figures).
    """

    position: int
    kind: Kind
    name: str
    variant: str
    points: int
    score: float
    to_review: int
    verdict: VerdictName | None
    sent: int
    unfinished: int
    seconds: int | None
    better_than: float | None
    is_follow_up: bool


class PersonResult(BaseModel):
    """The participation that counts for one candidate. `to_review` is how many of the points reviewers still have to give
    or refuse. `answers_pending` is how many answers have no final points yet: those that are being judged, and texts that no
    reviewer has graded. Until it is 0, `score` is not final. `similarity` is about the candidate's most similar answer: it is the
    share of this answer that also occurs in another answer. It is null if no share reached the threshold, or nothing was
    compared.
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
    to_review: int
    answers_pending: int
    points: int
    share: float
    noticed: SignalCounts
    similarity: float | None
    decision: DecisionName
    items: list[ItemResult]


class VariantFigures(BaseModel):
    """How the candidates did who got one variant of a challenge. `solved` of them reached all points. `median_score` is in points
    of the item. `median_s` is the median time that those who opened it worked on it, or null.
    """

    variant: str
    people: int
    solved: int
    median_score: float
    median_s: float | None


class ItemFigures(BaseModel):
    """Statistics of an item over the candidates who got it. `to_review` of them answered with a text that no reviewer has graded
    yet; these do not count for `solved`, `difficulty` and `discrimination`. `solved` is the number of candidates who reached all
    points of the item. `difficulty` is the mean share of these points, so 1 means that everybody got all of them.
    `discrimination` is the correlation between the candidates' shares for this item and their shares for all other items. It is
    null for fewer than five candidates, or if all of them have the same share. `compared` describes the candidates of all teams
    that share their results; it is null if the own team does not share, or too few candidates were given the item. `unproven` is
    true for a challenge of the team that the authoring gate has not passed. `variants` compares the variants of a challenge; it
    is empty unless candidates got more than one.
    """

    kind: Kind
    name: str
    title: str
    points: int
    people: int
    answered: int
    to_review: int
    solved: int
    difficulty: float
    discrimination: float | None
    median_s: float | None
    compared: ComparedGroup | None
    is_follow_up: bool
    unproven: bool
    variants: list[VariantFigures]


class ItemHistory(BaseModel):
    """How the team's candidates have done with an item. `people` got it, `solved` is how many of them reached all points, and
    `mean` is their mean share of the points. `median_s` is the median time that those who opened it worked on it, or null.
    """

    kind: Literal["challenge", "quiz"]
    name: str
    people: int
    solved: int
    mean: float
    median_s: float | None


class ItemHistories(BaseModel):
    """The items that the team's candidates were given."""

    items: list[ItemHistory]


class Results(BaseModel):
    """Statistics of an assessment over the candidates who finished. `attempts` says which of a candidate's attempts counts.
    `distribution` is the number of candidates in each tenth of the range from 0 to all points. `to_review` is the number of texts
    that no reviewer has graded yet; they count as 0 points. Only the newest participations
    are read, up to a limit; `left_out` is the number of older participations.
    """

    assessment: str
    version: int | None
    versions: list[int]
    attempts: Attempts
    started: int
    finished: int
    unfinished: int
    to_review: int
    left_out: int
    mean: float | None
    median: float | None
    median_s: float | None
    distribution: list[int]
    items: list[ItemFigures]
    people: list[PersonResult]


class ResultsFile(BaseModel):
    """The results as a file. New fields may be added; if the meaning of a field changes, `format` changes."""

    format: Literal["gradus-results-1"] = "gradus-results-1"
    made_at: datetime
    team: str
    results: Results


class LaterAnswer(BaseModel):
    """A candidate's last answer to a challenge, if it is not the one that counts."""

    sent_at: datetime
    verdict: VerdictName | None


class ComparedAnswer(BaseModel):
    """The answer of a candidate to a challenge that counts for the score."""

    participation_id: str
    name: str
    sent_at: datetime
    verdict: VerdictName | None
    source: str


class ComparedAnswers(BaseModel):
    """The answers of several candidates to one challenge, in the requested order."""

    items: list[ComparedAnswer]


class Side(BaseModel):
    """One of the two answers of a pair. `share` is the share of this answer that also occurs in the other one. If `reference`
    is true, the answer belongs to no candidate: it is an accepted answer by the challenge's authors, or the code in the
    editorial. `elsewhere` is null unless the answer was submitted in another assessment of the team; in that case, it is the
    name of this assessment. `variant` says which variant of the challenge was answered; it is empty for the plain challenge.
    """

    participation_id: str | None = None
    name: str
    variant: str = ""
    elsewhere: str | None = None
    reference: bool = False
    share: float


class SimilarPair(BaseModel):
    """Two answers that share passages. `tokens` is the number of tokens of the left answer that also occur in the right one.
    `variants_differ` is true if two candidates answered different variants of the challenge.
    """

    id: str
    slug: str
    title: str
    left: Side
    right: Side
    tokens: int
    variants_differ: bool


class Similarity(BaseModel):
    """The latest comparison, most similar pairs first. `made_at` is null if no comparison was made yet. `fresh` is true if no
    answer or challenge has changed since the comparison. `threshold` is a share from 0 to 1: a pair is listed if at least this
    share of one answer occurs in the other answer.
    """

    made_at: datetime | None
    fresh: bool
    answers: int
    threshold: float
    pairs: list[SimilarPair]


class Passage(BaseModel):
    """Lines that occur in both answers. `left` and `right` each consist of the first and the last line, counted from 1."""

    left: tuple[int, int]
    right: tuple[int, int]


class PairInFull(SimilarPair):
    """A pair with its sources and shared passages."""

    left_source: str
    right_source: str
    passages: list[Passage]
