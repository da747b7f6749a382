"""Once a day, deletes abandoned guest accounts and other data that is no longer needed, and removes old details from rows that
are kept. Each transaction changes only a limited number of rows.
"""

from api.kit.db.database import Database
from api.kit.supervised_task import SupervisedTask, pause
from api.ops.privacy.retention import thin
from api.ops.privacy.service import sweep
from api.settings import Settings

# Seconds until the next round if nothing is left to delete.
EVERY_S = 86_400
# Seconds until the next round if there may be more to delete.
SOON_S = 5


class Sweeper(SupervisedTask):
    """The background task. It runs once when this process becomes the leader of the cluster, and then every day."""

    def __init__(self, settings: Settings, db: Database) -> None:
        super().__init__(self._round)
        self._settings, self._db = settings, db

    async def _round(self) -> None:
        more = [await sweep(self._db, self._settings), await thin(self._db, self._settings)]
        await pause(SOON_S if any(more) else EVERY_S)
