"""Health, readiness, the queue, the nodes."""

from fastapi import APIRouter, Response

from api import VERSION
from api.accounts.identity import Admin
from api.errors import Forbidden, NotSignedIn, errors
from api.judging import queue
from api.judging.nodes import Node
from api.judging.schemas import Condition, Health, NodeList, NodeView, QueueView, Readiness, SlotsView
from api.state import StateOf

router = APIRouter(tags=["service"])


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
    is_ready = database and nodes.reason is None
    response.status_code = 200 if is_ready else 503
    return Readiness(
        ready=is_ready,
        database=Condition(ok=database, reason=None if database else "The database does not answer."),
        grading=Condition(ok=nodes.reason is None, reason=nodes.reason),
        challenges=len(state.shelf.catalogue.challenges),
        nodes=len(nodes.all()),
        slots=nodes.size,
    )


@router.get("/queue", response_model=QueueView, responses=errors())
async def get_queue(state: StateOf) -> QueueView:
    """How long the queue is and how long a submission sent now would wait."""
    nodes = state.dispatcher.nodes
    async with state.db.read() as session:
        queued, judging = await queue.depth(session)
    wait_s = nodes.expected_wait_s(queued + 1)
    return QueueView(queued=queued, judging=judging, slots=nodes.size, expected_wait_s=wait_s, reason=nodes.reason)


@router.get("/admin/nodes", response_model=NodeList, responses=errors(NotSignedIn, Forbidden))
async def list_nodes(_: Admin, state: StateOf) -> NodeList:
    """Connected nodes with their slots."""
    nodes = sorted(state.dispatcher.nodes.all(), key=lambda node: node.name)
    return NodeList(items=[_view(node) for node in nodes])


def _view(node: Node) -> NodeView:
    return NodeView(
        name=node.name,
        device=node.hello.device,
        slots=node.hello.slots,
        free=SlotsView(short=node.free.short, any=node.free.any),
        judging=len(node.running),
        connected_at=node.connected_at,
        reason=node.reason,
        versions=node.hello.versions,
    )
