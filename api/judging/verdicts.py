"""Judgements on their way into SQL: many in one transaction, each believed and counted by itself, whoever gave the job out."""

from collections.abc import Sequence

import structlog

from api.db import now
from api.judging import service, spans
from api.judging.dispatcher import Dispatcher
from api.judging.evidence import complaint
from api.judging.models import Judging
from api.judging.nodes import Node
from grader import transport
from grader.job import Job, Judgement, Kind

log = structlog.get_logger()
# Of one transaction: others wait for what it holds.
MOST = 64
# A judgement, and the name of the node that tells it.
Told = tuple[str, Judgement]


async def judged(dispatcher: Dispatcher, node: Node, judgement: Judgement) -> None:
    """A node of this process tells a judgement: it counts only if this connection was offered the job."""
    if not dispatcher.nodes.ended(node, judgement.token):
        log.warning("late_judgement_discarded", node=node.name, judging=judgement.job_id)
        return
    await write(dispatcher, [(node.name, judgement)])


async def write(dispatcher: Dispatcher, told: Sequence[Told]) -> None:
    """Write down what still counts and holds its evidence; what holds none is a fault. Returns once it is committed."""
    for first in range(0, len(told), MOST):
        some = {judgement.token: (name, judgement) for name, judgement in told[first : first + MOST]}
        since = now()
        rows, faults = await _write(dispatcher, some)
        for row in rows:
            spans.written(row, since)
            dispatcher.tell_end(row, some.pop(row.token or "")[1])
        for name, fault in faults:
            some.pop(fault.token)
            await dispatcher.fault(name, fault)
        for name, judgement in some.values():
            log.warning("late_judgement_discarded", node=name, judging=judgement.job_id)


async def _write(
    dispatcher: Dispatcher, told: dict[str, Told]
) -> tuple[list[Judging], list[tuple[str, transport.Fault]]]:
    counted: list[tuple[Judging, Judgement]] = []
    faults: list[tuple[str, transport.Fault]] = []
    submits: list[Judging] = []
    async with dispatcher.db.write() as session:
        for row, kind in await service.attempts(session, list(told)):
            name, judgement = told[row.token or ""]
            job = Job(row.id, judgement.token, Kind(kind), row.slug, row.digest, source="", owner=row.account_id)
            if row.node != name:
                continue
            if reason := complaint(judgement, job, dispatcher.package(job)):
                faults.append((name, transport.Fault(job.id, job.token, reason, f"judgement {judgement.verdict}")))
                continue
            counted.append((row, judgement))
            if job.kind is Kind.SUBMIT:
                submits.append(row)
        await service.apply(session, counted)
        if submits:
            for follow in dispatcher.on_judged:
                await follow(session, submits)
    return [row for row, _ in counted], faults
