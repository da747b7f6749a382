"""Request and response bodies of the API for applicant tracking systems."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictBool, StringConstraints, validate_email

from api.hiring.ats.models import TeamToken
from api.hiring.ats.tokens import Scope
from api.hiring.invitations.schemas import ExtraMinutes, NameOrNone, TimePercent
from api.hiring.review_records.schemas import DecisionName
from api.hiring.webhooks.events import Kind
from api.identity.sign_in.schemas import Name
from api.kit.text import CleanLine

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
    """The name under which a token is listed, and its scopes."""

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
    """A new token. `token` is shown only once."""

    token: str


class TeamTokenList(BaseModel):
    """All tokens of a team, newest first."""

    items: list[TeamTokenView]


class TrackedAssessment(BaseModel):
    """An assessment to which candidates can be invited. `page` is its address in the web client."""

    id: str
    name: str
    created_at: datetime
    page: str


class TrackedAssessmentPage(BaseModel):
    """One page of open assessments, newest first; `next_cursor` is null on the last page."""

    items: list[TrackedAssessment]
    next_cursor: str | None


class NewTrackedInvitation(BaseModel):
    """The candidate to invite. `reference` is your own identifier for this invitation; a second request with the same
    reference creates no second invitation. If `letter` is false, or this site sends no email, you must give the link to the
    candidate yourself.
    """

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": EXAMPLE})
    reference: Reference
    email: EmailOrNone = ""
    name: NameOrNone = ""
    extra_minutes: ExtraMinutes = 0
    time_percent: TimePercent = 100
    days: Annotated[int, Field(strict=True, ge=1, le=90)] = 14
    letter: StrictBool = True


class TrackedAttempt(BaseModel):
    """One attempt at the assessment. If `judged` is true, the attempt is finished, all its answers are judged, and reviewers have
    graded all texts. From then on, `score` changes only if an answer is judged again, or if the attempt is continued because the
    team gave more time. `adjusted` is the score including points that the team gave manually. `to_review` is how many points they
    still have to give or refuse for texts. `decision` is the team's decision. `report` is the address of the report in the web
    client.
    """

    id: str
    number: int
    started_at: datetime
    deadline: datetime
    finished_at: datetime | None
    judged: bool
    score: float
    adjusted: float
    to_review: int
    points: int
    decision: DecisionName
    report: str


class TrackedInvitation(BaseModel):
    """An invitation. Once the candidate has started, `state` is the state of the last attempt."""

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
    """An invitation with the link that opens the assessment. The link is shown only once, so `link` is null if an invitation
    with this reference already existed.
    """

    link: str | None


class TrackedLink(BaseModel):
    """The new link. Earlier links stop working."""

    link: str


class Change(BaseModel):
    """An event that is also sent to webhooks. `id` equals the header `webhook-id` of the webhook messages about this event."""

    id: str
    type: Kind
    timestamp: datetime
    assessment_id: str
    invitation_id: str
    participation_id: str


class ChangePage(BaseModel):
    """One page of the events since a cursor, oldest first. Store `next_cursor` and send it as `cursor` with the next request.
    If `more` is true, another page is available now.
    """

    items: list[Change]
    next_cursor: str
    more: bool


def token_view(row: TeamToken) -> TeamTokenView:
    names = ("id", "name", "hint", "created_at", "last_used_at")
    shown = {name: getattr(row, name) for name in names}
    return TeamTokenView.model_validate({**shown, "scopes": row.scopes.split()})
