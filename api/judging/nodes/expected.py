"""Lists the nodes that should be connected: the local node, if this process is configured to run one, and every node with a
token.

If a node is missing, the remaining nodes still judge. Without this list, nobody would notice until the last node is lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.dispatch.connected_nodes import CPU, Nodes
from api.judging.nodes import tokens
from api.kit.db.database import now
from api.settings import Settings

# Each process records in SQL, every SEEN_EVERY_S seconds, which nodes are connected to it. A node that no process has recorded
# for AWAY_S seconds is considered disconnected.
SEEN_EVERY_S, AWAY_S = 10.0, 45.0
LOCAL = "local"
State = Literal["connected", "missing", "drained", "elastic"]


@dataclass(frozen=True)
class Expected:
    """The local node, or a node with a token. Only the state `missing` is a problem. A `drained` node is out of service on
    purpose, connected or not. The state `elastic` means that the node is not connected, and need not be, because it is started
    and stopped automatically. `device` is None until the node has joined for the first time. `since` is the time at which the
    node was last connected. If the node has never joined, `since` is when its token was created or, for the local node, when
    this process started.
    """

    name: str
    device: str | None
    state: State
    since: datetime
    joined: bool
    local: bool = False

    @property
    def away_s(self) -> float:
        """Seconds that have passed since `since`."""
        return max(0.0, (now() - self.since).total_seconds())


async def all_of(session: AsyncSession, nodes: Nodes, settings: Settings) -> list[Expected]:
    """Return the local node of this process and all nodes with a token, sorted by name. A node with a token is included no
    matter to which process it is connected.
    """
    here = {node.name: node.device for node in nodes.all()}
    rows = await tokens.all_of(session)
    found = []
    if settings.local_node:
        local = here.keys() - {row.name for row in rows}
        name = min(local, default=LOCAL)
        state: State = "connected" if local else "missing"
        found.append(Expected(name, here.get(name, CPU), state, nodes.left_at, joined=bool(local), local=True))
    for row in rows:
        since = row.seen_at or row.created_at
        if row.name in nodes.drained:
            state = "drained"
        elif row.name in here or (row.seen_at and (now() - row.seen_at).total_seconds() < AWAY_S):
            state = "connected"
        else:
            state = "elastic" if row.elastic else "missing"
        found.append(Expected(row.name, here.get(row.name, row.device), state, since, joined=row.seen_at is not None))
    return sorted(found, key=lambda node: node.name)


def wanted(found: Iterable[Expected]) -> list[Expected]:
    """Return the nodes that should be connected now. Drained nodes are left out, and so are elastic nodes that are not
    connected.
    """
    return [node for node in found if node.state in ("connected", "missing")]
