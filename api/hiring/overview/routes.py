"""Routes that list a team's assessments and invitations, with what has become of them."""

from typing import Annotated

from fastapi import APIRouter, Query

from api.hiring.assessments import service as assessments
from api.hiring.assessments.schemas import AssessmentState, assessment_card
from api.hiring.invitations import service as invitations
from api.hiring.invitations.schemas import WantedInvitations, invitation_view
from api.hiring.overview.candidate_counts import counts_of
from api.hiring.overview.invitation_outcomes import outcomes_of
from api.hiring.overview.schemas import AssessmentPage, InvitationPage, ListedAssessment, ListedInvitation
from api.hiring.taking.candidate_request import Received
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.kit.errors import BadCursor, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText

router = APIRouter(prefix="/teams/{team_id}/assessments", route_class=JsonRoute)
READ = (NotSignedIn, TeamNotFound, BadCursor)


@router.get("", tags=["assessments"], responses=errors(*READ))
async def list_assessments(
    membership: AsReviewer,
    db: DatabaseDep,
    state_: Annotated[AssessmentState | None, Query(alias="state")] = None,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AssessmentPage:
    """List the team's assessments with their numbers of candidates, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    query = assessments.listing(membership.team.id, state_ or "", before).limit(limit + 1)
    async with db.read() as session:
        rows = (await session.execute(query)).all()
        counts = await counts_of(session, [assessment.id for assessment, _ in rows[:limit]])
    items = [
        ListedAssessment(**assessment_card(row, name).model_dump(), counts=counts[row.id]) for row, name in rows[:limit]
    ]
    return AssessmentPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get(
    "/{assessment_id}/invitations", tags=["invitations"], responses=errors(*READ, assessments.AssessmentNotFound)
)
async def list_invitations(
    assessment_id: Id,
    wanted: Annotated[WantedInvitations, Query()],
    membership: AsReviewer,
    db: DatabaseDep,
    settings: SettingsDep,
    moment: Received,
) -> InvitationPage:
    """List the invitations of an assessment with the candidates' results, newest first."""
    before = str(decode_cursor(wanted.cursor, (str,))[0]) if wanted.cursor else ""
    query = invitations.listing(assessment_id, wanted.q.strip(), wanted.state, before).limit(wanted.limit + 1)
    async with db.read() as session:
        await assessments.find(session, membership, assessment_id)
        rows = (await session.scalars(query)).all()
        found = await outcomes_of(session, [row.id for row in rows[: wanted.limit]], moment)
    items = [
        ListedInvitation(**invitation_view(row).model_dump(), outcome=found.get(row.id)) for row in rows[: wanted.limit]
    ]
    more = len(rows) > wanted.limit
    cursor = encode_cursor(items[-1].id) if more else None
    return InvitationPage(items=items, next_cursor=cursor, sends_mail=settings.sends_mail)
