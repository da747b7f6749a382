"""Ends of attempts that another service process gave out, or this one before it started anew: SQL says whether they count."""

import structlog
from sqlalchemy import select

from api.judging import service
from api.judging.dispatcher import Dispatcher
from api.judging.models import Judging, Status
from api.judging.service import Loss
from api.submissions.models import Submission
from grader import transport
from grader.job import Job, Kind

log = structlog.get_logger()


async def ended(dispatcher: Dispatcher, node: str, message: transport.End) -> None:
    """A node tells how an attempt has ended. What is not its own, or no longer, changes nothing."""
    token = transport.token_of(message)
    job = await _job(dispatcher, node, token)
    if job is None:
        log.info("late_end_discarded", node=node, end=type(message).__name__.lower())
    elif isinstance(message, transport.Judged):
        if reason := await dispatcher.write_down(message.judgement, job):
            await dispatcher.lost(token, Loss(reason, counts=True, cause="fault"))
    elif isinstance(message, transport.Fault):
        log.error("judging_fault", node=node, judging=job.id, reason=message.reason, detail=message.detail)
        await dispatcher.lost(token, Loss(message.reason, counts=True, cause="fault"))
    else:
        async with dispatcher.db.write() as session:
            await service.release(session, token)
        dispatcher.wake()


async def _job(dispatcher: Dispatcher, node: str, token: str) -> Job | None:
    """What of a job is needed to believe its judgement."""
    query = select(Judging.id, Judging.slug, Judging.digest, Submission.kind)
    query = query.join(Submission, Submission.id == Judging.submission_id)
    query = query.where(Judging.token == token, Judging.node == node, Judging.status == Status.JUDGING)
    async with dispatcher.db.read() as session:
        row = (await session.execute(query)).one_or_none()
    return Job(row.id, token, Kind(row.kind), row.slug, row.digest, source="", owner="") if row else None
