"""Request and response bodies of leaderboards and listings."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, model_validator

from api.kit.text import CleanLine, CleanText, normalized
from api.practice.leaderboards.boards import Place
from api.practice.leaderboards.periods import Window

Word = Annotated[str, StringConstraints(max_length=100), CleanText]
Limit = Annotated[int, Field(ge=1, le=100)]
Reason = Literal["guest", "unlisted", "nothing_solved"]
# The name under which an account appears on boards. If it is empty, the account's own name is used.
ShownName = Annotated[str, AfterValidator(normalized), StringConstraints(max_length=80), CleanLine]


class WantedBoard(BaseModel):
    """Selects a board: that of a section, that of a challenge, or the overall board. `window` selects all time, the current
    month or the current week (both in UTC), or a certain month or week, such as 2026-11 or 2026-W47.
    """

    model_config = ConfigDict(extra="forbid")
    section: Word = ""
    challenge: Word = ""
    window: Window = "all"

    @model_validator(mode="after")
    def one_board(self) -> Self:
        if self.section and self.challenge:
            raise ValueError("name a section or a challenge, not both")
        return self


class WantedPage(WantedBoard):
    """Selects a page of a board."""

    limit: Limit = 50
    cursor: Annotated[str, StringConstraints(max_length=200), CleanText] = ""


class WantedPlaces(WantedBoard):
    """Selects the places around yours. With `following`, the board contains only you and the people you follow."""

    limit: Limit = 50
    people: Literal["all", "following"] = "all"


class PlaceView(BaseModel):
    """An account on a board. `reached_at` is when the account reached these points. On the board of a challenge, `took_s` is
    the number of seconds from the account's first submission for the challenge to the accepted one. On other boards, it is
    null. On a board of the people you follow, `rank` is the rank among them, and `overall_rank` the rank among all people.
    """

    rank: int
    overall_rank: int | None = None
    id: str
    name: str
    points: int
    solved: int
    reached_at: datetime
    took_s: float | None


class LeaderboardPage(BaseModel):
    """One page of a board. `total` is the number of accounts on the board. `next_cursor` is null on the last page."""

    items: list[PlaceView]
    total: int
    next_cursor: str | None


class OwnPlace(LeaderboardPage):
    """The places around yours, and the first place of the board. If you have no place, `reason` says why: you are a guest, you
    are not listed, or you have solved nothing on this board yet. `first` is null on an empty board.
    """

    mine: PlaceView | None
    first: PlaceView | None
    reason: Reason | None


class ListingView(BaseModel):
    """How you appear to other users. If `name` is empty, your account's name is used. An account that is not listed appears
    on no board and has no public profile.
    """

    model_config = ConfigDict(from_attributes=True, json_schema_extra={"example": {"listed": True, "name": "Ada L."}})
    listed: StrictBool
    name: ShownName


def place_view(place: Place, overall_rank: int | None = None) -> PlaceView:
    return PlaceView(
        rank=place.rank,
        overall_rank=overall_rank,
        id=place.key.account_id,
        name=place.name,
        points=place.key.points,
        solved=place.solved,
        reached_at=place.key.reached_at,
        took_s=place.took_s,
    )
