"""Routes for health, readiness, the queue, and the nodes."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from api import VERSION
from api.content.catalogue.service import CatalogueStoreDep
from api.identity.audit import service as audit
from api.identity.audit.service import Acting, Action
from api.identity.sessions.current_account import Admin
from api.judging.dispatch.connected_nodes import Node, Running
from api.judging.dispatch.dispatcher import DispatcherDep
from api.judging.nodes import expected, tokens
from api.judging.nodes.schemas import (
    Condition,
    Device,
    ExpectedNode,
    Health,
    NodeJob,
    NodeList,
    NodeView,
    QueueReport,
    QueueView,
    Readiness,
    SlotsView,
)
from api.judging.queue import order
from api.judging.submissions.models import NodeDrain
from api.kit.db.database import hold, now
from api.kit.errors import ApiError, CrossSite, Forbidden, NotSignedIn, errors
from api.kit.http.dependencies import DatabaseDep, SettingsDep

router = APIRouter(tags=["service"])
JOBS = 64
NodeName = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]


class NodeNotFound(ApiError):
    """There is no node with this name, or it is not drained."""

    status, code = 404, "node_not_found"


CHANGE = errors(CrossSite, NotSignedIn, Forbidden, NodeNotFound)


@router.get("/health", response_model=Health, responses=errors())
async def health() -> Health:
    """Report that the process is alive, and its version. Nothing else is checked."""
    return Health(status="ok", version=VERSION)


@router.get(
    "/ready",
    response_model=Readiness,
    responses={**errors(), 503: {"model": Readiness, "description": "Something is missing; the parts say what."}},
)
async def ready(db: DatabaseDep, store: CatalogueStoreDep, dispatcher: DispatcherDep, response: Response) -> Readiness:
    """Report whether the database is reachable and at least one node can judge. If not, the status is 503."""
    nodes = dispatcher.nodes
    database = await db.answers()
    reason = nodes.reason()
    is_ready = database and reason is None
    response.status_code = 200 if is_ready else 503
    return Readiness(
        ready=is_ready,
        database=Condition(ok=database, reason=None if database else "The database does not answer."),
        grading=Condition(ok=reason is None, reason=reason),
        challenges=len(store.catalogue.challenges),
        nodes=len(nodes.all()),
        slots=nodes.size(),
    )


@router.get("/queue", response_model=QueueView, responses=errors())
async def get_queue(db: DatabaseDep, dispatcher: DispatcherDep, device: Device = "cpu") -> QueueView:
    """The length of the queue of a device, and how long a submission that is sent now is expected to wait."""
    nodes = dispatcher.nodes
    async with db.read() as session:
        queued, judging = await order.depth(session, device)
    return QueueView(
        queued=queued,
        judging=judging,
        slots=nodes.size(device),
        expected_wait_s=nodes.expected_wait_s(queued + 1, device),
        reason=nodes.plain_reason(device),
    )


@router.get("/admin/nodes", response_model=NodeList, responses=errors(NotSignedIn, Forbidden))
async def list_nodes(_: Admin, db: DatabaseDep, settings: SettingsDep, dispatcher: DispatcherDep) -> NodeList:
    """The nodes that are connected to this process of the service, and the state of all nodes that should be connected."""
    nodes = dispatcher.nodes
    items = [_view(node) for node in sorted(nodes.all(), key=lambda node: node.name)]
    async with db.read() as session:
        found = await expected.all_of(session, nodes, settings)
    return NodeList(
        items=items,
        drained=sorted(nodes.drained),
        expected=[ExpectedNode.model_validate(node) for node in found],
    )


@router.put("/admin/nodes/{name}/drain", response_model=NodeList, responses=CHANGE)
async def drain_node(
    name: NodeName, actor: Acting, db: DatabaseDep, settings: SettingsDep, dispatcher: DispatcherDep
) -> NodeList:
    """Drain a node: it finishes its running jobs and gets no new ones, even after it reconnects. A drained node is never
    reported as missing.
    """
    nodes = dispatcher.nodes
    async with db.write() as session:
        known = {node.name for node in nodes.all()} | {row.name for row in await tokens.all_of(session)}
        if name not in known:
            raise NodeNotFound("No node of this name is connected, or has a token.")
        await hold(session, f"drain {name}")
        if await session.get(NodeDrain, name) is None:
            session.add(NodeDrain(name=name, since=now()))
            audit.record(session, actor, Action.DRAIN, name)
    await dispatcher.read_drains()
    return await list_nodes(actor.identity, db, settings, dispatcher)


@router.delete("/admin/nodes/{name}/drain", response_model=NodeList, responses=CHANGE)
async def undrain_node(
    name: NodeName, actor: Acting, db: DatabaseDep, settings: SettingsDep, dispatcher: DispatcherDep
) -> NodeList:
    """Stop draining a node, so that it gets jobs again."""
    async with db.write() as session:
        drain = await session.get(NodeDrain, name)
        if drain is None:
            raise NodeNotFound("No node of this name is drained.")
        await session.delete(drain)
        audit.record(session, actor, Action.UNDRAIN, name)
    await dispatcher.read_drains()
    dispatcher.wake()
    return await list_nodes(actor.identity, db, settings, dispatcher)


@router.get("/admin/queue", response_model=QueueReport, responses=errors(NotSignedIn, Forbidden))
async def get_queue_report(_: Admin, db: DatabaseDep) -> QueueReport:
    """How many judgings are queued and running, and how old the oldest of them are."""
    async with db.read() as session:
        return QueueReport.model_validate(await order.report(session))


def _view(node: Node) -> NodeView:
    recent_durations = node.recent_durations
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
        speed=node.speed,
        judged=node.judged,
        faults=node.faults,
        per_minute=len(recent_durations),
        mean_s=round(sum(recent_durations) / len(recent_durations), 3) if recent_durations else None,
        starving=node.starving,
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
