"""Trying something out while taking an assessment: a snippet of one's own, and taking back what was only tried."""

from fastapi import APIRouter

from api.bodies import JsonRoute
from api.errors import CrossSite, errors
from api.ids import Id
from api.participations import views, work
from api.participations.routes import READ, WORK, AtWork, Position, sent
from api.participations.schemas import NewSnippet
from api.submissions import intake
from api.submissions import service as submissions
from api.submissions import views as submission_views
from api.submissions.schemas import SubmissionView
from grader.job import Kind

router = APIRouter(tags=["participations"], route_class=JsonRoute, prefix="/participation")
TRY = (*WORK, intake.SourceTooLarge, intake.DeviceNotOffered)
CANCEL = (CrossSite, *READ, submissions.SubmissionNotFound, submissions.AlreadyFinished, work.Submitted)


@router.post("/items/{position}/scratch", status_code=201, responses=errors(*TRY))
async def try_snippet(position: Position, body: NewSnippet, at_work: AtWork) -> SubmissionView:
    """Run a snippet of your own after your source and see what it prints. It counts for nothing."""
    return await sent(at_work, position, body)


@router.post("/submissions/{submission_id}/cancel", responses=errors(*CANCEL))
async def cancel_trial(submission_id: Id, at_work: AtWork) -> SubmissionView:
    """Take a run of the samples or a snippet out of the queue, or stop it. What was submitted is judged in any case."""
    async with at_work.run() as (session, run):
        found, row = await submissions.find(session, submission_id, at_work.caller)
        if found.kind == Kind.SUBMIT:
            raise work.Submitted(
                "What was submitted counts and is judged. You may submit again: the best answer counts."
            )
        cancelled = await submissions.cancel(session, row)
        shown = views.submission(run, submission_views.view(found, row, None))
    if cancelled:
        at_work.state.dispatcher.cancel(row)
    return shown
