"""Routes for feedback: candidates give it after they have finished, and the team reads it without names."""

from collections import Counter
from statistics import fmean

from fastapi import APIRouter
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.assessments.service import AssessmentNotFound, find
from api.hiring.candidate_feedback.models import CandidateFeedback
from api.hiring.candidate_feedback.schemas import FeedbackSummary, NewFeedback, OwnFeedback
from api.hiring.participations.models import Participation
from api.hiring.taking.candidate_request import FromCandidate
from api.hiring.taking.routes import READ
from api.hiring.teams.membership import AsReviewer, TeamNotFound
from api.kit.errors import ApiError, CrossSite, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(tags=["participations"], route_class=JsonRoute)


class NotFinishedYet(ApiError):
    """The assessment is not finished."""

    status, code = 409, "not_finished_yet"


@router.get("/participation/feedback", responses=errors(*READ))
async def get_own_feedback(work_request: FromCandidate) -> OwnFeedback:
    """Return what you said about the assessment."""
    async with work_request.run() as (session, run):
        row = await session.get(CandidateFeedback, run.row.id)
    return OwnFeedback(feedback=NewFeedback.model_validate(row, from_attributes=True) if row else None)


@router.put("/participation/feedback", responses=errors(CrossSite, *READ, NotFinishedYet))
async def give_feedback(body: NewFeedback, work_request: FromCandidate) -> OwnFeedback:
    """Say what you think about the assessment, after you have finished it. You can change it later."""
    async with work_request.run() as (session, run):
        if run.row.finished_at is None:
            raise NotFinishedYet("Finish the assessment first.")
        values = body.model_dump()
        row = CandidateFeedback(participation_id=run.row.id, written_at=work_request.moment, **values)
        await session.merge(row)
    return OwnFeedback(feedback=body)


@router.get(
    "/teams/{team_id}/assessments/{assessment_id}/feedback",
    responses=errors(NotSignedIn, TeamNotFound, AssessmentNotFound),
)
async def get_feedback(assessment_id: Id, membership: AsReviewer, db: DatabaseDep) -> FeedbackSummary:
    """Return what candidates said about the assessment, without names and without test drives."""
    async with db.read() as session:
        await find(session, membership, assessment_id)
        return await _summary(session, assessment_id)


async def _summary(session: AsyncSession, assessment_id: str) -> FeedbackSummary:
    query = select(CandidateFeedback).join(Participation, Participation.id == CandidateFeedback.participation_id)
    rows = (
        await session.scalars(query.where(Participation.assessment_id == assessment_id, ~Participation.is_test))
    ).all()
    ratings, difficulties = Counter(row.rating for row in rows), Counter(row.difficulty for row in rows)
    return FeedbackSummary(
        count=len(rows),
        mean=fmean(row.rating for row in rows) if rows else None,
        ratings=[ratings[value] for value in range(1, 6)],
        difficulties={"easy": difficulties["easy"], "right": difficulties["right"], "hard": difficulties["hard"]},
        comments=sorted(row.comment for row in rows if row.comment.strip()),
    )
