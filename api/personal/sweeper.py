"""Once a day: what nobody comes back for is erased, a little at a time."""

import asyncio

from api.background import Keeper
from api.db import Database
from api.personal.service import sweep
from api.settings import Settings

EVERY_S = 86_400
# Between two rounds when there was more than one round may take.
SOON_S = 5


class Sweeper(Keeper):
    """Sweeps at the start of the service and then daily."""

    def __init__(self, settings: Settings, db: Database) -> None:
        super().__init__(self._round)
        self._settings, self._db = settings, db

    async def _round(self) -> None:
        more = await sweep(self._db, self._settings)
        await asyncio.sleep(SOON_S if more else EVERY_S)
