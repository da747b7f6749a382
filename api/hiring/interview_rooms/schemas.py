"""Request and response bodies of live interviews."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from api.content.catalogue.schemas import ChallengeView
from api.hiring.plans.plan import Choosable, Markdown, Title
from api.hiring.room_records.access import RoomRole
from api.hiring.room_records.transcript import EventKind
from api.identity.sign_in.schemas import Name
from api.judging.intake.schemas import SubmissionCard
from api.judging.nodes.schemas import Device
from api.kit.text import CleanLine, CleanText

CHALLENGES, CRITERIA, LEVELS = 12, 12, 4
DEFAULT_CRITERIA = ["Solves the problem", "Writes clear code", "Knows PyTorch", "Explains the reasoning"]


def _call_url(url: str) -> str:
    if url and not url.startswith("https://"):
        raise PydanticCustomError("call_url", "must begin with https://")
    return url


Written = Annotated[str, AfterValidator(str.strip), StringConstraints(min_length=1, max_length=5000), CleanText]
CallUrl = Annotated[str, AfterValidator(_call_url), StringConstraints(max_length=500), CleanLine]
Criteria = Annotated[list[Title], Field(max_length=CRITERIA)]
Token = Annotated[str, StringConstraints(max_length=200), CleanText]


class NewRoom(BaseModel):
    """A new room. The names of challenges are slugs of the catalogue or, for the team's own, `own/` followed by the slug.
    `call_url` is the address of a video call, or empty. `criteria` is the rubric; each criterion is scored from 0 to 4.
    """

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"example": {"title": "Ada, second round", "challenges": ["add-one"], "minutes": 60}},
    )
    title: Title
    challenges: Annotated[list[Choosable], Field(min_length=1, max_length=CHALLENGES)]
    minutes: Annotated[int, Field(strict=True, ge=5, le=480)] = 60
    call_url: CallUrl = ""
    criteria: Criteria = DEFAULT_CRITERIA


class RoomCard(BaseModel):
    """A room in a list. `created_by` is null if that account was deleted. `candidates` are the names of those who have
    entered.
    """

    id: str
    title: str
    minutes: int
    created_by: str | None
    created_at: datetime
    ended_at: datetime | None
    candidates: list[str]


class RoomPage(BaseModel):
    """One page of rooms, newest first; `next_cursor` is null on the last page."""

    items: list[RoomCard]
    next_cursor: str | None


class RoomLinks(BaseModel):
    """The links of a room. They are shown only once, because only their hashes are stored."""

    room_id: str
    candidate: str
    observer: str


class RoomToken(BaseModel):
    """The secret of a link."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"token": "room_..."}})
    token: Token


class RoomOffer(BaseModel):
    """What a link opens. `entered_as` is the name with which this browser has already opened it, or null."""

    room_id: str
    team: str
    title: str
    minutes: int
    role: Literal["candidate", "observer"]
    entered_as: str | None


class NewEntry(RoomToken):
    """Entering a room with a link. Everybody in the room sees the name."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"token": "room_...", "name": "Ada"}})
    name: Name


class Entered(BaseModel):
    """The room that was entered."""

    room_id: str


class PersonView(BaseModel):
    """A person who has entered the room. `color` is a number; people with neighbouring numbers are easy to tell apart."""

    id: str
    name: str
    role: RoomRole
    color: int


class RoomChallengeView(BaseModel):
    """A challenge of the room. Candidates and observers see only those that were shown."""

    position: int
    slug: str
    title: str
    opened_at: datetime | None


class RoomSubmission(BaseModel):
    """Code that was run or submitted in the room. `by` is the id of a person."""

    at: datetime
    by: str | None
    position: int
    submission: SubmissionCard


class RoomView(BaseModel):
    """A room as its caller sees it. `you` is the id of the caller. `position` is the challenge that is shown, or 0. `extension`
    is Markdown that extends its statement. `sent` lists the newest submissions, the last one first.
    """

    id: str
    team_id: str | None
    team: str
    title: str
    minutes: int
    call_url: str
    role: RoomRole
    you: str
    created_at: datetime
    ended_at: datetime | None
    server_time: datetime
    timer_ends_at: datetime | None
    position: int
    challenge: ChallengeView | None
    extension: str
    challenges: list[RoomChallengeView]
    people: list[PersonView]
    sent: list[RoomSubmission]


class ShownChallenge(BaseModel):
    """The challenge to show to everybody."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "add-one"}})
    name: Choosable


class NewExtension(BaseModel):
    """Markdown above the statement of the challenge that is shown. It replaces the earlier text."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"text": "Now make it work for a batch of inputs."}}
    )
    text: Markdown


class NewTimer(BaseModel):
    """The seconds that the timer has left from now on; 0 stops it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"seconds": 1800}})
    seconds: Annotated[int, Field(strict=True, ge=0, le=8 * 3600)]


class NewRoomSubmission(BaseModel):
    """What to judge the shared code with: the sample tests (`run`) or all tests (`submit`). Without `device`, the CPU judges, or
    the GPU if the challenge needs one.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"kind": "run"}})
    kind: Literal["run", "submit"]
    device: Device | None = None


class NewRoomNote(BaseModel):
    """A private note. Only interviewers can read it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"text": "Asked about numerics at once."}})
    text: Written


class RoomNoteView(BaseModel):
    """A note. `author` is null if that account was deleted. You may delete it if it is yours."""

    id: str
    author: str | None
    yours: bool
    text: str
    at: datetime


class NewRoomScore(BaseModel):
    """Your score for a criterion, which replaces your earlier one; null removes it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"level": 3}})
    level: Annotated[int, Field(strict=True, ge=0, le=LEVELS)] | None


class RoomScoreView(BaseModel):
    """The score that an interviewer gave."""

    reviewer: str | None
    yours: bool
    level: int


class RoomCriterion(BaseModel):
    """A criterion with its scores, from 0 to `levels`."""

    title: str
    levels: int
    scores: list[RoomScoreView]


class RoomReview(BaseModel):
    """What only the interviewers of the room can see."""

    notes: list[RoomNoteView]
    criteria: list[RoomCriterion]


class TranscriptEvent(BaseModel):
    """Something that happened. `by` is the id of a person. Which other fields are set depends on `kind`: `position` (the
    challenge), `text` (an extension), `minutes` (the timer) or `submission`.
    """

    id: str
    at: datetime
    by: str | None
    kind: EventKind
    position: int | None = None
    text: str | None = None
    minutes: int | None = None
    submission: SubmissionCard | None = None


class RoomTranscript(BaseModel):
    """Everything that happened in a room, in order."""

    people: list[PersonView]
    events: list[TranscriptEvent]


class ReplayStep(BaseModel):
    """An edit: the characters from `from` to `to` (UTF-16 code units of the text before it) were replaced by `text`. `by` is the
    id of a person, or null for the starter code.
    """

    at: datetime
    by: str | None
    from_: Annotated[int, Field(alias="from")]
    to: int
    text: str


class Replay(BaseModel):
    """All edits of the code of one challenge, in order, beginning with an empty text."""

    position: int
    steps: list[ReplayStep]
