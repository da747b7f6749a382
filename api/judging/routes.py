"""Health, readiness, the queue, the nodes."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from api import VERSION
from api.accounts.identity import Admin
from api.audit import service as audit
from api.audit.service import Acting, Action
from api.db import hold, now
from api.errors import ApiError, CrossSite, Forbidden, NotSignedIn, errors
from api.judging import queue
from api.judging.models import NodeDrain
from api.judging.nodes import Node, Running
from api.judging.schemas import (
    Condition,
    Device,
    Health,
    NodeJob,
    NodeList,
    NodeView,
    QueueReport,
    QueueView,
    Readiness,
    SlotsView,
)
from api.state import StateOf

router = APIRouter(tags=["service"])
JOBS = 64
NodeName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class NodeNotFound(ApiError):
    """No such node is connected, or drained."""

    status, code = 404, "node_not_found"


CHANGE = errors(CrossSite, NotSignedIn, Forbidden, NodeNotFound)


@router.get("/health", response_model=Health, responses=errors())
async def health() -> Health:
    """Whether the process is alive. Asks nothing else."""
    return Health(status="ok", version=VERSION)


@router.get(
    "/ready",
    response_model=Readiness,
    responses={**errors(), 503: {"model": Readiness, "description": "Something is missing; the parts say what."}},
)
async def ready(state: StateOf, response: Response) -> Readiness:
    """Whether everything works: the database, and a node that can judge."""
    nodes = state.dispatcher.nodes
    database = await state.db.answers()
    reason = nodes.reason()
    is_ready = database and reason is None
    response.status_code = 200 if is_ready else 503
    return Readiness(
        ready=is_ready,
        database=Condition(ok=database, reason=None if database else "The database does not answer."),
        grading=Condition(ok=reason is None, reason=reason),
        challenges=len(state.shelf.catalogue.challenges),
        nodes=len(nodes.all()),
        slots=nodes.size(),
    )


@router.get("/queue", response_model=QueueView, responses=errors())
async def get_queue(state: StateOf, device: Device = "cpu") -> QueueView:
    """How long the queue of a device is and how long a submission sent for it now would wait."""
    nodes = state.dispatcher.nodes
    async with state.db.read() as session:
        queued, judging = await queue.depth(session, device)
    return QueueView(
        queued=queued,
        judging=judging,
        slots=nodes.size(device),
        expected_wait_s=nodes.expected_wait_s(queued + 1, device),
        reason=nodes.reason(device),
    )


@router.get("/admin/nodes", response_model=NodeList, responses=errors(NotSignedIn, Forbidden))
async def list_nodes(_: Admin, state: StateOf) -> NodeList:
    """Connected nodes with their slots and what they judge."""
    nodes = state.dispatcher.nodes
    items = [_view(node) for node in sorted(nodes.all(), key=lambda node: node.name)]
    return NodeList(items=items, drained=sorted(nodes.drained))


@router.put("/admin/nodes/{name}/drain", response_model=NodeList, responses=CHANGE)
async def drain_node(name: NodeName, actor: Acting, state: StateOf) -> NodeList:
    """Give a node no more jobs, also when it connects anew; what it is judging it ends."""
    nodes = state.dispatcher.nodes
    if name not in {node.name for node in nodes.all()}:
        raise NodeNotFound("No node of this name is connected.")
    async with state.db.write() as session:
        await hold(session, f"drain {name}")
        if await session.get(NodeDrain, name) is None:
            session.add(NodeDrain(name=name, since=now()))
            audit.record(session, actor, Action.DRAIN, name)
    await state.dispatcher.read_drains()
    return await list_nodes(actor.identity, state)


@router.delete("/admin/nodes/{name}/drain", response_model=NodeList, responses=CHANGE)
async def undrain_node(name: NodeName, actor: Acting, state: StateOf) -> NodeList:
    """Give a drained node jobs again."""
    async with state.db.write() as session:
        drain = await session.get(NodeDrain, name)
        if drain is None:
            raise NodeNotFound("No node of this name is drained.")
        await session.delete(drain)
        audit.record(session, actor, Action.UNDRAIN, name)
    await state.dispatcher.read_drains()
    state.dispatcher.wake()
    return await list_nodes(actor.identity, state)


@router.get("/admin/queue", response_model=QueueReport, responses=errors(NotSignedIn, Forbidden))
async def get_queue_report(_: Admin, state: StateOf) -> QueueReport:
    """How many wait, how long the oldest has waited, and how many of them wait again."""
    async with state.db.read() as session:
        return QueueReport.model_validate(await queue.report(session))


def _view(node: Node) -> NodeView:
    lately = node.lately
    return NodeView(
        name=node.name,
        device=node.device,
        gpus=list(node.hello.gpus),
        slots=node.hello.slots,
        free=SlotsView(short=node.free.short, any=node.free.any),
        judging=len(node.running),
        connected_at=node.connected_at,
        reason=node.problem,
        versions=node.hello.versions,
        drained=node.drained,
        judged=node.judged,
        faults=node.faults,
        per_minute=len(lately),
        mean_s=round(sum(lately) / len(lately), 3) if lately else None,
        jobs=[_job(run) for run in list(node.running.values())[:JOBS]],
    )


def _job(run: Running) -> NodeJob:
    claim = run.claim
    return NodeJob(
        submission_id=claim.submission_id,
        slug=claim.job.slug,
        attempt=claim.attempt,
        short=claim.short,
        seconds=round(run.seconds, 1),
    )
