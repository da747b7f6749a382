"""Limits the catalogue to challenges that the site's nodes can judge: challenges that need a GPU are served while a node with a
GPU belongs to the site. If that node is not connected, their submissions wait.
"""

import structlog
from sqlalchemy import select

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch.connected_nodes import CPU, Nodes
from api.judging.submissions.models import NodeToken
from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause

log = structlog.get_logger()
# How often the devices are read. A node joins or loses its token a few times a month.
EVERY_S = 5.0


class OfferedDevices(SupervisedTask):
    """Reads which devices the site has, for the catalogue: CPUs, the devices of nodes that have joined and whose token is still
    valid, and those of the nodes that are connected to this process.
    """

    def __init__(self, db: Database, nodes: Nodes, store: CatalogueStore) -> None:
        super().__init__(self._round)
        self._db, self._nodes, self._store = db, nodes, store

    async def _round(self) -> None:
        await self.read()
        await pause(EVERY_S)

    async def read(self) -> None:
        """Read the devices, and serve the challenges for them."""
        async with self._db.read() as session:
            joined = await session.scalars(select(NodeToken.device).where(NodeToken.device.is_not(None)).distinct())
            devices = {CPU, *(device for device in joined if device), *(node.device for node in self._nodes.all())}
        if self._store.offer(devices):
            log.info("devices_offered", devices=sorted(devices), challenges=len(self._store.catalogue.challenges))
