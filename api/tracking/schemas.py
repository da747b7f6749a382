"""What travels between the service and an applicant tracking system."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, validate_email

from api.accounts.schemas import Name
from api.invitations.schemas import ExtraMinutes, NameOrNone
from api.reviews.schemas import DecisionName
from api.text import CleanLine
from api.tracking.models import TeamToken
from api.tracking.tokens import Scope
from api.webhooks.events import Kind

Reference = Annotated[str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True), CleanLine]
Scopes = Annotated[list[Scope], Field(min_length=1, max_length=5), AfterValidator(lambda scopes: sorted(set(scopes)))]
EmailOrNone = Annotated[
    str,
    AfterValidator(lambda text: text and validate_email(text)[1].lower()),
    StringConstraints(max_length=254),
    CleanLine,
]
EXAMPLE: dict[str, Any] = {"reference": "candidate-4711", "email": "eve@example.org", "name": "Eve"}


class NewTeamToken(BaseModel):
    """The name under which a token is listed, and what it is for."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"name": "Recruiting", "scopes": ["invite", "read_results"]}}
    )
    name: Name
    scopes: Scopes


class TeamTokenView(BaseModel):
    """A team's token without its secret."""

    id: str
    name: str
    scopes: list[Scope]
    hint: str
    created_at: datetime
    last_used_at: datetime | None


class TeamTokenMade(TeamTokenView):
    """A new token; `token` is shown this once."""

    token: str


class TeamTokenList(BaseModel):
    """All tokens of a team, newest first."""

    items: list[TeamTokenView]


class TrackedAssessment(BaseModel):
    """An assessment to which people can be invited."""

    id: str
    name: str
    created_at: datetime
    page: str


class TrackedAssessmentPage(BaseModel):
    """One page of open assessments, newest first; `next_cursor` is null on the last page."""

    items: list[TrackedAssessment]
    next_cursor: str | None


class NewTrackedInvitation(BaseModel):
    """Whom to invite. `reference` is your own name for this invitation: sent again, it invites nobody twice. Without a `letter`
    you hand the link over yourself.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE})
    reference: Reference
    email: EmailOrNone = ""
    name: NameOrNone = ""
    extra_minutes: ExtraMinutes = 0
    days: Annotated[int, Field(strict=True, ge=1, le=90)] = 14
    letter: StrictBool = True


class TrackedAttempt(BaseModel):
    """One run through the assessment. `judged`: it is finished and nothing waits to be judged, so the score is final. `adjusted`
    is the score with points that the team gave by hand, `decision` what it decided. `report` is the page for people.
    """

    id: str
    number: int
    started_at: datetime
    deadline: datetime
    finished_at: datetime | None
    judged: bool
    score: float
    adjusted: float
    points: int
    decision: DecisionName
    report: str


class TrackedInvitation(BaseModel):
    """Where somebody stands. The last of the attempts decides on the `state`."""

    id: str
    reference: str | None
    assessment_id: str
    email: str
    name: str
    state: Literal["invited", "expired", "revoked", "started", "finished", "judged"]
    created_at: datetime
    expires_at: datetime
    attempts: list[TrackedAttempt]


class TrackedInvitationMade(TrackedInvitation):
    """`link` opens the assessment; it is shown once, so it is null where the reference was there before."""

    link: str | None


class TrackedLink(BaseModel):
    """Another link; earlier ones are worthless."""

    link: str


class Change(BaseModel):
    """Something that happened, as webhooks tell it; `id` is what they call `webhook-id`."""

    id: str
    type: Kind
    timestamp: datetime
    assessment_id: str
    invitation_id: str
    participation_id: str


class ChangePage(BaseModel):
    """What happened since a cursor, oldest first. Keep `next_cursor` and ask with it again; `more`: at once."""

    items: list[Change]
    next_cursor: str
    more: bool


def token_view(row: TeamToken) -> TeamTokenView:
    """A token without its secret."""
    names = ("id", "name", "hint", "created_at", "last_used_at")
    shown = {name: getattr(row, name) for name in names}
    return TeamTokenView.model_validate({**shown, "scopes": row.scopes.split()})
