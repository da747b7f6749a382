"""Keeps the catalogue to what the site's nodes can judge: challenges for GPUs only are served while a node with a GPU belongs to
the site. Such a node may be away: its submissions wait.
"""

import asyncio

import structlog
from sqlalchemy import select

from api.content.catalogue.service import CatalogueStore
from api.judging.dispatch.connected_nodes import CPU, Nodes
from api.judging.submissions.models import NodeToken
from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause

log = structlog.get_logger()
# Seconds between two looks. A node joins or loses its token a few times a month.
EVERY_S = 5.0


class OfferedDevices(SupervisedTask):
    """Tells the catalogue which devices there are: CPUs, those of nodes that have joined and whose token is still valid, and
    those of the nodes that are connected to this process.
    """

    def __init__(self, db: Database, nodes: Nodes, store: CatalogueStore) -> None:
        super().__init__(self._round)
        self._db, self._nodes, self._store = db, nodes, store

    async def _round(self) -> None:
        await self.read()
        await pause(EVERY_S)

    async def read(self) -> None:
        """Read the devices, and let the catalogue follow."""
        async with self._db.read() as session:
            joined = await session.scalars(select(NodeToken.device).where(NodeToken.device.is_not(None)).distinct())
            devices = {CPU, *(device for device in joined if device), *(node.device for node in self._nodes.all())}
        if await asyncio.to_thread(self._store.offer, devices):
            log.info("devices_offered", devices=sorted(devices), challenges=len(self._store.catalogue.challenges))
