"""Request and response bodies of invitations."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    WithJsonSchema,
    WrapValidator,
)

from api.hiring.invitations.models import Invitation
from api.identity.sign_in.schemas import Email
from api.kit.db.database import now
from api.kit.text import CleanLine, CleanText, normalized

AT_ONCE = 500
InvitationState = Literal["open", "used", "expired", "revoked"]
ExtraMinutes = Annotated[int, Field(strict=True, ge=0, le=1440)]
# The share of the assessment's minutes that a candidate gets, in percent. The values are the usual accommodations of testing
# centres: 25 % more, 50 % more, or twice the time.
TimePercent = Literal[100, 125, 150, 200]
NONE_TOO = {"anyOf": [{"type": "string", "maxLength": 254, "format": "email"}, {"type": "string", "const": ""}]}
# An email address or an empty string. This is a validator instead of a union of two types, because the error messages of a
# union would describe both alternatives.
EmailOrNone = Annotated[
    Email, WrapValidator(lambda given, check: given if given == "" else check(given)), WithJsonSchema(NONE_TOO)
]
NameOrNone = Annotated[str, AfterValidator(normalized), StringConstraints(max_length=80), CleanLine]
EXAMPLE: dict[str, Any] = {"people": [{"email": "eve@example.org", "name": "Eve", "extra_minutes": 15}], "days": 14}


class WantedInvitations(BaseModel):
    """Selects the invitations whose email address or name contains `q`, and whose state is `state`. An empty `q` matches all
    invitations, and so does a `state` of null.
    """

    model_config = ConfigDict(extra="forbid")
    q: Annotated[str, StringConstraints(max_length=254), CleanText] = ""
    state: InvitationState | None = None
    cursor: Annotated[str, StringConstraints(max_length=200), CleanText] = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 50


class NewInvitation(BaseModel):
    """One candidate. Without an email address, you must give the link to the candidate yourself. The candidate gets
    `time_percent` of the assessment's minutes, plus `extra_minutes`. The times of sections are extended in proportion.
    """

    model_config = ConfigDict(extra="forbid")
    email: EmailOrNone = ""
    name: NameOrNone = ""
    extra_minutes: ExtraMinutes = 0
    time_percent: TimePercent = 100


class NewInvitations(BaseModel):
    """The candidates to invite. They must start within `days` days. With `letters`, every candidate with an email address gets
    an email, if this site sends email.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE})
    people: Annotated[list[NewInvitation], Field(min_length=1, max_length=AT_ONCE)]
    days: Annotated[int, Field(strict=True, ge=1, le=90)] = 14
    letters: StrictBool = True


class NewExtraTime(BaseModel):
    """The time that a candidate gets: `time_percent` of the assessment's minutes, plus `extra_minutes`."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"extra_minutes": 15}})
    extra_minutes: ExtraMinutes
    time_percent: TimePercent = 100


class InvitationView(BaseModel):
    """An invitation, for members of its team. The state is `used` once the candidate has started. `sent_at` is null if the
    current link was not sent by email.
    """

    id: str
    email: str
    name: str
    extra_minutes: int
    time_percent: int
    state: InvitationState
    created_at: datetime
    expires_at: datetime
    sent_at: datetime | None
    reminded_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None


class InvitationMade(InvitationView):
    """A new invitation with its link, which is shown only once."""

    link: str


class InvitationsMade(BaseModel):
    """New invitations, in the order of the request."""

    items: list[InvitationMade]


def invitation_view(row: Invitation) -> InvitationView:
    return InvitationView(
        id=row.id,
        email=row.email,
        name=row.name,
        extra_minutes=row.extra_minutes,
        time_percent=row.time_percent,
        state=state_of(row),
        created_at=row.created_at,
        expires_at=row.expires_at,
        sent_at=row.sent_at,
        reminded_at=row.reminded_at,
        used_at=row.used_at,
        revoked_at=row.revoked_at,
    )


def state_of(row: Invitation) -> InvitationState:
    if row.revoked_at is not None:
        return "revoked"
    if row.used_at is not None:
        return "used"
    return "open" if row.expires_at > now() else "expired"
