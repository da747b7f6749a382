"""Routes of the assistant for teams: whether the site offers one, and the conversations of a participation."""

from fastapi import APIRouter

from api.hiring.assessments.service import AssessmentNotFound
from api.hiring.assistant import service
from api.hiring.assistant.schemas import AssistantInfo, OfferedAssistant, Transcript
from api.hiring.monitoring.routes import ForReviewer
from api.hiring.participations.service import ParticipationNotFound
from api.hiring.taking.candidate_request import Received
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.kit.errors import NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.kit.http.json_body import JsonRoute

router = APIRouter(tags=["participations"], route_class=JsonRoute, prefix="/teams/{team_id}")


@router.get("/assistant", responses=errors(NotSignedIn, TeamNotFound))
async def get_offered_assistant(_: AsReviewer, settings: SettingsDep) -> OfferedAssistant:
    """Return the assistant that sections can provide."""
    found = settings.assistant
    return OfferedAssistant(assistant=AssistantInfo(model=found.model, tokens=found.tokens) if found else None)


@router.get(
    "/assessments/{assessment_id}/participations/{participation_id}/assistant",
    responses=errors(NotSignedIn, TeamNotFound, AssessmentNotFound, ParticipationNotFound),
)
async def get_assistant_transcript(
    addressed: ForReviewer, db: DatabaseDep, settings: SettingsDep, moment: Received
) -> Transcript:
    """Return everything that a candidate asked the assistant, with its replies, and what the candidate said about an assistant of
    their own. These are facts without a judgement; the team decides what they mean.
    """
    async with db.read() as session:
        return await service.transcript(session, await addressed.find(session), settings.assistant, moment)
