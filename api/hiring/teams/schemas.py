"""Request and response bodies of teams."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StringConstraints

from api.hiring.teams.activity_log import LogAction
from api.hiring.teams.membership import Role
from api.identity.sign_in.schemas import Email, Name
from api.kit.text import CleanText

InvitationState = Literal["open", "accepted", "expired", "revoked"]
Token = Annotated[str, StringConstraints(max_length=200), CleanText]


class NamedTeam(BaseModel):
    """The name of a team."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "Training infrastructure"}})
    name: Name


class NewResultSharing(BaseModel):
    """Whether the team shares results."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"shares_results": True}})
    shares_results: StrictBool


class TeamView(BaseModel):
    """A team that you are in. `role` is your role in it, `members` the number of members. `shares_results` says whether the
    points and times of its candidates count in comparisons with other teams that share theirs.
    """

    id: str
    name: str
    role: Role
    members: int
    created_at: datetime
    shares_results: bool


class TeamList(BaseModel):
    """All teams that you are in, the oldest first."""

    items: list[TeamView]


class MemberView(BaseModel):
    """A member of a team. Members see each other's email addresses."""

    account_id: str
    name: str
    email: str
    role: Role
    joined_at: datetime


class MemberList(BaseModel):
    """All members, in the order in which they joined."""

    items: list[MemberView]


class NewMemberRole(BaseModel):
    """The role of a member. Reviewers can read and review, authors can also write assessments, owners can also manage the
    team.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"role": "author"}})
    role: Role


class NewTeamInvitation(BaseModel):
    """The address to invite, and the role that the person gets. Anybody with the link can join, with any account; the list of
    invitations shows which account joined.
    """

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"email": "bob@example.org", "role": "reviewer"}}
    )
    email: Email
    role: Role


class TeamInvitationView(BaseModel):
    """An invitation. `invited_by` is the name of the member who invited, null if that account was deleted. `accepted_by` is
    the email address of the account that joined, null until then.
    """

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
    """A sent invitation. `link` is shown only once. If this site sends no email, `by` is `console`, and the text of the email
    is printed on the server's console, where only the operator sees it.
    """

    link: str
    by: Literal["email", "console"]


class InvitationToken(BaseModel):
    """The token of an invitation. It is the part of the invitation's link after «#»."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"token": "team_…"}})
    token: Token


class TeamOffer(BaseModel):
    """The team to which an invitation belongs. The team's members will see the name and email address of the account that
    joins.
    """

    team: str
    role: Role
    email: str
    expires_at: datetime


class TeamLogEntryView(BaseModel):
    """An action of a member. `actor` is the member's name, or null if the account was deleted. `object_id` and `title` name what
    the action was about; for a candidate, `object_id` is the participation and `title` the assessment. `detail` says more, such
    as a role or a number of candidates.
    """

    id: str
    actor: str | None
    action: LogAction
    object_id: str
    title: str
    detail: str
    at: datetime


class TeamLogPage(BaseModel):
    """One page of a team's log, newest first; `next_cursor` is null on the last page."""

    items: list[TeamLogEntryView]
    next_cursor: str | None
