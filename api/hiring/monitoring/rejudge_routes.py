"""Route to judge an answer of an assessment again, on the version of the challenge that the candidate was given."""

from fastapi import APIRouter, status
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from api.content.catalogue.service import CatalogueStoreDep
from api.hiring.monitoring.routes import CHANGE, ForAuthor
from api.hiring.monitoring.schemas import SentAnswer
from api.hiring.participations.service import LoadedParticipation
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.intake import service, views
from api.judging.submissions.history import read_judgement
from api.judging.submissions.models import Judging, Submission
from api.kit.errors import ApiError, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id

router = APIRouter(
    prefix="/teams/{team_id}/assessments/{assessment_id}/participations/{participation_id}",
    tags=["watching"],
    route_class=JsonRoute,
)


class VersionGone(ApiError):
    """The version of the challenge is no longer stored."""

    status, code = 409, "version_gone"


@router.post(
    "/submissions/{submission_id}/rejudge",
    status_code=status.HTTP_202_ACCEPTED,
    responses=errors(*CHANGE, service.SubmissionNotFound, service.NotFinished, VersionGone),
)
async def rejudge_answer(
    submission_id: Id, addressed: ForAuthor, db: DatabaseDep, store: CatalogueStoreDep, dispatcher: DispatcherDep
) -> SentAnswer:
    """Judge an answer again. The new judging counts; the earlier one is kept and marked as superseded."""
    async with db.write() as session:
        run = await addressed.find(session)
        submission, row = await _find(session, run, submission_id)
        challenge = store.version(row.digest)
        if challenge is None:
            raise VersionGone(
                "This answer cannot be rejudged, because its version of the challenge is no longer stored."
            )
        await service.rejudge(session, row, challenge.package, read_judgement(row))
        _, current = await _find(session, run, submission_id)
        sent = await service.source_of(session, submission_id)
    dispatcher.wake()
    shown = views.view(submission, current, None, for_team=True)
    return SentAnswer(submission=shown, source=sent.source, snippet=sent.snippet)


async def _find(session: AsyncSession, run: LoadedParticipation, submission_id: str) -> tuple[Submission, Judging]:
    query = service.listing(run.row.account_id, "", "", "").where(Submission.id == submission_id)
    found = (await session.execute(query.options(undefer(Judging.judgement)))).one_or_none()
    if found is None:
        raise service.SubmissionNotFound("This participation has no submission with this ID.")
    return found[0], found[1]
