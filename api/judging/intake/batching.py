"""Stores submissions that arrive at the same moment in one transaction. On PostgreSQL, beginning and committing a transaction
takes longer than the statements in it.
"""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends

from api.judging.intake import intake
from api.judging.intake.intake import IntakeRequest, Stored, SubmissionData
from api.kit.batching import Batcher
from api.kit.db.database import Database
from api.kit.errors import ApiError
from api.kit.http.provided import provided
from api.settings import Settings
from grader.content.package import Package


class SubmissionWriter:
    """Stores submissions. On PostgreSQL, concurrent submissions share a transaction. On SQLite, each submission has its own
    transaction, because the database layer already lets writers share a commit.
    """

    def __init__(self, db: Database, settings: Settings) -> None:
        self._db, self._settings = db, settings
        self._batcher = Batcher(self._store, lambda asked: asked.sent.account_id)

    async def submit(self, sent: SubmissionData, package: Package) -> Stored:
        """Store a submission and queue it.

        Raises `SourceTooLarge`, `DeviceNotOffered`, `NoSamples`, `KeyReused`, `TooManyRequests`.
        """
        intake.check(sent, package, self._settings)
        asked = IntakeRequest(sent, package)
        if self._db.in_place:
            return intake.unwrap((await self._store([asked]))[0])
        return intake.unwrap(await self._batcher.ask(asked))

    async def close(self) -> None:
        """Wait until all submissions that have been passed to `submit` are stored or refused."""
        await self._batcher.close()

    async def _store(self, asked: Sequence[IntakeRequest]) -> list[Stored | ApiError]:
        async with self._db.write() as session:
            return await intake.store(session, asked, self._settings)


SubmissionWriterDep = Annotated[SubmissionWriter, Depends(provided(SubmissionWriter))]
