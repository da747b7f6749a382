"""What teams look like over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from api.accounts.schemas import Email, Name
from api.teams.seats import Role
from api.text import CleanText

InvitationState = Literal["open", "accepted", "expired", "revoked"]
Token = Annotated[str, StringConstraints(max_length=200), CleanText]


class NamedTeam(BaseModel):
    """What a team is called."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "Training infrastructure"}})
    name: Name


class TeamView(BaseModel):
    """A team that you are in; `role` is yours."""

    id: str
    name: str
    role: Role
    members: int
    created_at: datetime


class TeamList(BaseModel):
    """All teams that you are in, the oldest first."""

    items: list[TeamView]


class MemberView(BaseModel):
    """Somebody in the team. Members see each other's addresses."""

    account_id: str
    name: str
    email: str
    role: Role
    joined_at: datetime


class MemberList(BaseModel):
    """Everybody in the team, in the order of joining."""

    items: list[MemberView]


class NewMemberRole(BaseModel):
    """Reviewers read, authors write assessments too, owners decide about the team as well."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"role": "author"}})
    role: Role


class NewTeamInvitation(BaseModel):
    """Whom to invite, and as what. Whoever has the link may join with any account; you see with which."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"email": "bob@example.org", "role": "reviewer"}}
    )
    email: Email
    role: Role


class TeamInvitationView(BaseModel):
    """An invitation. `invited_by` is a name, `accepted_by` the address of the account that joined."""

    id: str
    email: str
    role: Role
    state: InvitationState
    invited_by: str | None
    accepted_by: str | None
    created_at: datetime
    expires_at: datetime


class TeamInvitationPage(BaseModel):
    """One page of invitations, newest first; `next_cursor` is null on the last page."""

    items: list[TeamInvitationView]
    next_cursor: str | None


class SentTeamInvitation(TeamInvitationView):
    """An invitation on its way; `link` is shown this once. `by` console: this site sends no e-mail, its operator sees the
    letter.
    """

    link: str
    by: Literal["email", "console"]


class InvitationToken(BaseModel):
    """What stands behind «#» in an invitation's link."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"token": "team_…"}})
    token: Token


class TeamOffer(BaseModel):
    """What somebody is invited to. Whoever joins shows the others the name and address of the account."""

    team: str
    role: Role
    email: str
    expires_at: datetime
