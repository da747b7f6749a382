"""Writes judgements to SQL. One transaction stores many judgements, but each of them is checked separately. A process can store
judgements of jobs that another process offered.
"""

from collections.abc import Sequence

import structlog

from api.judging.dispatch import spans
from api.judging.dispatch.connected_nodes import Node
from api.judging.dispatch.dispatcher import Dispatcher
from api.judging.dispatch.evidence import complaint
from api.judging.queue import service
from api.judging.submissions.models import Judging
from api.kit.db.database import now
from grader.contract import transport
from grader.contract.job import Job, Judgement, Kind

log = structlog.get_logger()
# Maximum number of judgements that one transaction stores. The transaction locks their rows, and other writers wait for them.
MOST = 64
# A judgement, with the name of the node that sent it.
NodeJudgement = tuple[str, Judgement]


async def judged(dispatcher: Dispatcher, node: Node, judgement: Judgement) -> None:
    """Handle a judgement from a node that is connected to this process. It is discarded unless this process offered the job to
    this node during the current connection.
    """
    if not dispatcher.nodes.ended(node, judgement.token):
        log.warning("late_judgement_discarded", node=node.name, judging=judgement.job_id)
        return
    await write(dispatcher, [(node.name, judgement)])


async def write(dispatcher: Dispatcher, judgements: Sequence[NodeJudgement]) -> None:
    """Store the judgements, and return after the commit. A judgement is discarded if its attempt no longer belongs to the node
    that sent it. A judgement that fails the checks of `complaint` is not stored either, and counts as a fault of its node.
    """
    for first in range(0, len(judgements), MOST):
        some = {judgement.token: (name, judgement) for name, judgement in judgements[first : first + MOST]}
        since = now()
        rows, faults = await _write(dispatcher, some)
        for row in rows:
            spans.written(row, since)
            dispatcher.attempts.publish_end(row, some.pop(row.token or "")[1])
        for name, fault in faults:
            some.pop(fault.token)
            await dispatcher.attempts.fault(name, fault)
        for name, judgement in some.values():
            log.warning("late_judgement_discarded", node=name, judging=judgement.job_id)


async def _write(
    dispatcher: Dispatcher, judgements: dict[str, NodeJudgement]
) -> tuple[list[Judging], list[tuple[str, transport.Fault]]]:
    counted: list[tuple[Judging, Judgement]] = []
    faults: list[tuple[str, transport.Fault]] = []
    submits: list[Judging] = []
    async with dispatcher.db.write() as session:
        for row, kind in await service.attempts(session, list(judgements)):
            name, judgement = judgements[row.token or ""]
            # Attempts that were offered before 2026-11-23 have no stored seed.
            seed = judgement.seed if row.seed is None else row.seed
            job = Job(row.id, judgement.token, Kind(kind), row.slug, row.digest, "", row.account_id, seed)
            if row.node != name:
                continue
            # This is None if the version of the challenge is no longer stored.
            challenge = dispatcher.store.pinned(job.slug, job.digest)
            if reason := complaint(judgement, job, challenge.package if challenge else None):
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
