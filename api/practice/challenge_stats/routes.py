"""Routes to read how people fare with challenges, and how an accepted answer compares with others."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from api.identity.sessions.current_account import Caller
from api.judging.intake.service import SubmissionNotFound
from api.kit.errors import NotSignedIn, errors
from api.kit.http.caching import NOT_MODIFIED, Has
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.provided import provided
from api.kit.ids import Id
from api.practice.challenge_stats import service
from api.practice.challenge_stats.schemas import ChallengeStatsList, Comparison
from api.practice.challenge_stats.service import StatsCache
from api.practice.sharing.service import NotAccepted, own
from grader.contract.job import Kind, Verdict

router = APIRouter(tags=["catalogue"], route_class=JsonRoute)
StatsCacheDep = Annotated[StatsCache, Depends(provided(StatsCache))]


@router.get("/challenge-stats", response_model=ChallengeStatsList, responses=errors() | NOT_MODIFIED)
async def list_challenge_stats(db: DatabaseDep, stats: StatsCacheDep, has: Has) -> ChallengeStatsList | Response:
    """How many people have solved each challenge, and how many submissions were accepted. At most a minute old."""
    page = ChallengeStatsList(items=await stats.items(db))
    return has.has(page.model_dump_json()) or page


@router.get(
    "/submissions/{submission_id}/comparison",
    response_model=Comparison,
    responses=errors(NotSignedIn, SubmissionNotFound, NotAccepted),
)
async def get_comparison(submission_id: Id, caller: Caller, db: DatabaseDep) -> Comparison:
    """How your accepted answer compares with the accepted answers of other people, and the points that it earned."""
    async with db.read() as session:
        submission, row = await own(session, submission_id, caller)
        if row.verdict != Verdict.AC or submission.kind != Kind.SUBMIT:
            raise NotAccepted("Only an accepted answer is compared with others.")
        return await service.compare(session, submission, row)
