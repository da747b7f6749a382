"""What boards and listings look like over HTTP."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, model_validator

from api.standings.boards import Place
from api.text import CleanLine, CleanText, one_form

Word = Annotated[str, StringConstraints(max_length=100), CleanText]
Reason = Literal["guest", "unlisted", "nothing_solved"]
Window = Literal["all", "month", "week"]
# Empty: the account's own name.
ShownName = Annotated[str, AfterValidator(one_form), StringConstraints(max_length=80), CleanLine]


class WantedBoard(BaseModel):
    """Which board: of one section, of one challenge, or overall; `window` is the present week or month (UTC), or all time."""

    model_config = ConfigDict(extra="forbid")
    section: Word = ""
    challenge: Word = ""
    window: Window = "all"
    limit: Annotated[int, Field(ge=1, le=100)] = 50

    @model_validator(mode="after")
    def one_board(self) -> Self:
        """A challenge's board is no section's."""
        if self.section and self.challenge:
            raise ValueError("name a section or a challenge, not both")
        return self


class WantedPage(WantedBoard):
    """A board, from a cursor on."""

    cursor: Annotated[str, StringConstraints(max_length=200), CleanText] = ""


class PlaceView(BaseModel):
    """Somebody on a board. `reached_at`: since when with these points. `took_s`, of a challenge's board only: seconds from
    the first thing sent to the accepted one.
    """

    rank: int
    id: str
    name: str
    points: int
    solved: int
    reached_at: datetime
    took_s: float | None


class LeaderboardPage(BaseModel):
    """One page of a board. `total` counts everybody on it; `next_cursor` is null on the last page."""

    items: list[PlaceView]
    total: int
    next_cursor: str | None


class OwnPlace(LeaderboardPage):
    """The page around yourself. Without a place `reason` says why: a guest, not listed, or nothing solved here yet."""

    mine: PlaceView | None
    reason: Reason | None


class ListingView(BaseModel):
    """How you appear to others. An empty `name` means your account's name; who is not listed has no place and no profile."""

    model_config = ConfigDict(from_attributes=True, json_schema_extra={"example": {"listed": True, "name": "Ada L."}})
    listed: StrictBool
    name: ShownName


def place_view(place: Place) -> PlaceView:
    """A place as others see it."""
    return PlaceView(
        rank=place.rank,
        id=place.key.account_id,
        name=place.name,
        points=place.key.points,
        solved=place.solved,
        reached_at=place.key.reached_at,
        took_s=place.took_s,
    )
