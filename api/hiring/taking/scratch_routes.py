"""Routes to try out code while taking an assessment: run a snippet, and cancel a run of a snippet or of the sample tests."""

from fastapi import APIRouter

from api.hiring.taking import views, work
from api.hiring.taking.candidate_request import FromCandidate, Position
from api.hiring.taking.routes import READ, WORK, send_attempt
from api.hiring.taking.schemas import NewSnippet
from api.judging.intake import intake
from api.judging.intake import service as submissions
from api.judging.intake import views as submission_views
from api.judging.intake.schemas import SubmissionView
from api.kit.errors import CrossSite, errors
from api.kit.http.json_body import JsonRoute
from api.kit.ids import Id
from grader.contract.job import Kind

router = APIRouter(tags=["participations"], route_class=JsonRoute, prefix="/participation")
TRY = (*WORK, intake.SourceTooLarge, intake.DeviceNotOffered)
CANCEL = (CrossSite, *READ, submissions.SubmissionNotFound, submissions.AlreadyFinished, work.Submitted)


@router.post("/items/{position}/scratch", status_code=201, responses=errors(*TRY))
async def try_snippet(position: Position, body: NewSnippet, work_request: FromCandidate) -> SubmissionView:
    """Run a snippet after your source and see its output. The result does not count."""
    return await send_attempt(work_request, position, body)


@router.post("/submissions/{submission_id}/cancel", responses=errors(*CANCEL))
async def cancel_trial(submission_id: Id, work_request: FromCandidate) -> SubmissionView:
    """Cancel a run of the sample tests or of a snippet. A submitted answer cannot be cancelled."""
    async with work_request.run() as (session, run):
        found, row = await submissions.find(session, submission_id, work_request.caller)
        if found.kind == Kind.SUBMIT:
            raise work.Submitted(
                "A submitted answer counts and cannot be cancelled. You can submit again: the best answer counts."
            )
        cancelled = await submissions.cancel(session, row)
        shown = views.submission(run, submission_views.view(found, row, None), work_request.moment)
    if cancelled:
        work_request.dispatcher.attempts.cancel(row)
    return shown
