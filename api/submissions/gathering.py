"""Submissions that come at the same moment are stored in one transaction: on PostgreSQL it costs more than what is in it."""

from collections.abc import Sequence

from api.db import Database
from api.errors import ApiError
from api.gathered import Gathered
from api.settings import Settings
from api.submissions import intake
from api.submissions.intake import Asked, Sent, Stored
from grader.package import Package


class Intake:
    """Takes submissions in, each in a transaction of its own or in one with others; SQLite groups its writers by itself."""

    def __init__(self, db: Database, settings: Settings) -> None:
        self._db, self._settings = db, settings
        self._gathered = Gathered(self._store, lambda asked: asked.sent.account_id)

    async def submit(self, sent: Sent, package: Package) -> Stored:
        """Store a submission and queue it. Raises `KeyReused`, `TooManyRequests`."""
        asked = Asked(sent, package)
        if self._db.in_place:
            return intake.told((await self._store([asked]))[0])
        return intake.told(await self._gathered.ask(asked))

    async def close(self) -> None:
        """Store what has begun."""
        await self._gathered.close()

    async def _store(self, asked: Sequence[Asked]) -> list[Stored | ApiError]:
        async with self._db.write() as session:
            return await intake.store(session, asked, self._settings)
