"""What travels when a team invites."""

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

from api.accounts.schemas import Email
from api.db import now
from api.invitations.models import Invitation
from api.text import CleanLine, CleanText, one_form

AT_ONCE = 500
InvitationState = Literal["open", "used", "expired", "revoked"]
ExtraMinutes = Annotated[int, Field(strict=True, ge=0, le=1440)]
NONE_TOO = {"anyOf": [{"type": "string", "maxLength": 254, "format": "email"}, {"type": "string", "const": ""}]}
# Not a union: its refusals would name how each of its sides is checked.
EmailOrNone = Annotated[
    Email, WrapValidator(lambda given, check: given if given == "" else check(given)), WithJsonSchema(NONE_TOO)
]
NameOrNone = Annotated[str, AfterValidator(one_form), StringConstraints(max_length=80), CleanLine]
EXAMPLE: dict[str, Any] = {"people": [{"email": "eve@example.org", "name": "Eve", "extra_minutes": 15}], "days": 14}


class WantedInvitations(BaseModel):
    """Which invitations to list: those in whose e-mail or name `q` stands, those in a state."""

    model_config = ConfigDict(extra="forbid")
    q: Annotated[str, StringConstraints(max_length=254), CleanText] = ""
    state: InvitationState | None = None
    cursor: Annotated[str, StringConstraints(max_length=200), CleanText] = ""
    limit: Annotated[int, Field(ge=1, le=100)] = 50


class NewInvitation(BaseModel):
    """One person. Without an e-mail it is a link that you hand over yourself."""

    model_config = ConfigDict(extra="forbid")
    email: EmailOrNone = ""
    name: NameOrNone = ""
    extra_minutes: ExtraMinutes = 0


class NewInvitations(BaseModel):
    """People to invite. `days`: so long they may start. `letters`: whoever has an e-mail gets a letter."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE})
    people: Annotated[list[NewInvitation], Field(min_length=1, max_length=AT_ONCE)]
    days: Annotated[int, Field(strict=True, ge=1, le=90)] = 14
    letters: StrictBool = True


class NewExtraTime(BaseModel):
    """Minutes that one person has longer than others."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"extra_minutes": 15}})
    extra_minutes: ExtraMinutes


class InvitationView(BaseModel):
    """An invitation as its team sees it. `used`: somebody has started with it."""

    id: str
    email: str
    name: str
    extra_minutes: int
    state: InvitationState
    created_at: datetime
    expires_at: datetime
    sent_at: datetime | None
    reminded_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None


class InvitationMade(InvitationView):
    """With its link, which is shown this once."""

    link: str


class InvitationsMade(BaseModel):
    """In the order in which they were asked for."""

    items: list[InvitationMade]


class InvitationPage(BaseModel):
    """One page of invitations, newest first; `next_cursor` is null on the last page."""

    items: list[InvitationView]
    next_cursor: str | None


def invitation_view(row: Invitation) -> InvitationView:
    """An invitation without its secrets."""
    return InvitationView(
        id=row.id,
        email=row.email,
        name=row.name,
        extra_minutes=row.extra_minutes,
        state=state_of(row),
        created_at=row.created_at,
        expires_at=row.expires_at,
        sent_at=row.sent_at,
        reminded_at=row.reminded_at,
        used_at=row.used_at,
        revoked_at=row.revoked_at,
    )


def state_of(row: Invitation) -> InvitationState:
    """Where an invitation stands now."""
    if row.revoked_at is not None:
        return "revoked"
    if row.used_at is not None:
        return "used"
    return "open" if row.expires_at > now() else "expired"
