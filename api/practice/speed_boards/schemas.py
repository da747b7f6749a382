"""Request and response bodies of speed boards, measurements and entries."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from api.kit.text import CleanText
from api.practice.speed_boards.ranks import Place
from grader.contract.ranking import Interval

Quantity = Literal["speed", "memory"]
Role = Literal["baseline", "library", "best"]
State = Literal[
    "waiting",
    "running",
    "confirming",
    "ranked",
    "beaten",
    "not_ranked",
    "flagged",
    "withdrawn",
    "failed",
    "fault",
    "cancelled",
]


class IntervalView(BaseModel):
    """How many times as fast as the baseline an answer is, or how many times less memory it needs: the estimate `ratio`, and
    the interval in which the true value lies.
    """

    model_config = ConfigDict(from_attributes=True)
    low: float
    ratio: float
    high: float


class SpeedBoardView(BaseModel):
    """The board of a challenge on one kind of machine. Results of different boards are never compared. `current` is the board on
    which answers are measured now; the others are archived. `noise` is the noise floor: 0.01 is ±1 %. `gflops` (10⁹ operations
    a second) and `gb_per_s` (10⁹ bytes a second) are what one thread of the machine reaches.
    """

    id: str
    current: bool
    cpu: str
    torch: str
    runner: str
    gflops: float
    gb_per_s: float
    noise: float
    created_at: datetime
    measured_at: datetime


class HouseRow(BaseModel):
    """An answer that the board measures for comparison and that has no place: the baseline, torch's own implementation, or the
    best answer that the authors know. `id` is the id of its page.
    """

    role: Role
    id: str
    interval: IntervalView


class SpeedPlaceView(BaseModel):
    """An entry: an account's best measured answer. `rank` is 1 plus the number of entries whose whole interval lies above this
    one's, so entries whose intervals overlap can share a place. It is null while the answer is measured again to confirm it.
    """

    id: str
    rank: int | None
    account_id: str
    name: str
    interval: IntervalView
    measured_at: datetime


class WithdrawnView(BaseModel):
    """An answer that a moderator has withdrawn. Only moderators and its owner see this."""

    id: str
    account_id: str
    name: str
    reason: str
    at: datetime


class SpeedBoardPage(BaseModel):
    """A page of a speed board. `board` is null as long as nothing was measured. `boards` contains all boards of the challenge,
    newest first. `confirming` are entries that are measured again before they get a place. `waiting` is the number of answers
    that wait to be measured. `next_cursor` is null on the last page.
    """

    slug: str
    title: str
    quantity: Quantity
    sizes: list[int]
    board: SpeedBoardView | None
    boards: list[SpeedBoardView]
    house: list[HouseRow]
    items: list[SpeedPlaceView]
    confirming: list[SpeedPlaceView]
    withdrawn: list[WithdrawnView]
    waiting: int
    total: int
    next_cursor: str | None


class SpeedBoardSummary(BaseModel):
    """A scored challenge: how many entries its current board has, and the first of them."""

    slug: str
    title: str
    quantity: Quantity
    entries: int
    first: SpeedPlaceView | None


class SpeedBoardList(BaseModel):
    """All scored challenges, in the order of the catalogue."""

    items: list[SpeedBoardSummary]


class MeasurementView(BaseModel):
    """How far the measurement of your answer is. `state` is one of:

    - `waiting`: in the queue, at `position`
    - `running`: `pairs` pairs of runs so far, and the 95 % interval is ±`half_width` (0.05 is ±5 %)
    - `confirming`: among the first places, so it is measured again with other inputs before it gets its place
    - `ranked`: your entry on the board, at `rank` of `total`
    - `beaten`: measured, but another answer of yours is your entry
    - `not_ranked`: measured, but `reason` says why it does not count
    - `flagged`: a moderator has to look at it
    - `withdrawn`: a moderator has removed it, for the `reason`
    - `failed`: the answer failed while it was measured; `reason` is the message
    - `fault`: the grader failed; submit again
    - `cancelled`: it is no longer wanted, for the `reason`

    `id` is the id of the answer's page.
    """

    id: str
    submission_id: str
    slug: str
    state: State
    position: int | None
    pairs: int
    half_width: float | None
    interval: IntervalView | None
    rank: int | None
    total: int
    reason: str
    board_id: str | None
    asked_at: datetime
    ended_at: datetime | None


class SubmissionMeasurement(BaseModel):
    """The measurement of a submission. It is null if the submission is not measured: it was not accepted, the challenge is not
    scored, it was sent in an interview, or you are a guest.
    """

    measurement: MeasurementView | None


class OwnSpeed(BaseModel):
    """Your entry on a board, the places around it, and your last measurements of this challenge, newest first."""

    mine: SpeedPlaceView | None
    items: list[SpeedPlaceView]
    total: int
    attempts: list[MeasurementView]


class Point(BaseModel):
    """A point of a curve: seconds per call, or MiB, at one size."""

    size: int
    value: float


class Curve(BaseModel):
    """The cost of an answer for each size. `exponent` is the slope on logarithmic axes: 2 means that twice the size costs four
    times as much. It is null if it cannot be determined.
    """

    name: Literal["answer", "baseline", "library", "floor"]
    points: list[Point]
    exponent: float | None


class OperatorView(BaseModel):
    """An operator of torch, and its share of the time of a call, from 0 to 1."""

    name: str
    share: float


class MeasuredSession(BaseModel):
    """One of the measurements of an answer."""

    interval: IntervalView
    pairs: int
    wall_s: float
    at: datetime
    counts: bool


class SpeedEntryPage(BaseModel):
    """A measured answer. `operators` is what the answer's own process reported, so it is a claim and not a fact. `shared_id` is
    the id of the shared answer if its owner lists it for everybody who can read the editorial. `submission_id` is null unless
    the answer is yours. `state` and `reason` are those of its measurement.
    """

    id: str
    slug: str
    title: str
    quantity: Quantity
    board: SpeedBoardView
    role: Literal["", "baseline", "library", "best"]
    account_id: str | None
    name: str
    own: bool
    state: State
    reason: str
    rank: int | None
    total: int
    interval: IntervalView
    sessions: list[MeasuredSession]
    curves: list[Curve]
    operators: list[OperatorView]
    shared_id: str | None
    submission_id: str | None


class WantedSpeedBoard(BaseModel):
    """Selects a page of a speed board. Without `board`, the current board is meant."""

    model_config = ConfigDict(extra="forbid")
    board: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{32})?$")] = ""
    cursor: Annotated[str, StringConstraints(max_length=200), CleanText] = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 50


class ProfileSpeed(BaseModel):
    """A place on the current speed board of a challenge."""

    slug: str
    entry_id: str
    quantity: Quantity
    rank: int
    total: int
    ratio: float


def interval_view(interval: Interval) -> IntervalView:
    return IntervalView(low=interval.low, ratio=interval.ratio, high=interval.high)


def place_view(place: Place) -> SpeedPlaceView:
    entry = place.entry
    return SpeedPlaceView(
        id=entry.measurement_id,
        rank=place.rank,
        account_id=entry.account_id,
        name=place.name,
        interval=IntervalView(low=entry.low, ratio=entry.ratio, high=entry.high),
        measured_at=entry.measured_at,
    )
