"""Provides a FastAPI dependency for routes that candidates call. With it, a route gets the caller, the time at which the
request arrived, and the participation.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Path
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.hiring.participations import service
from api.hiring.participations.service import LoadedParticipation
from api.identity.sessions.credentials import Identity
from api.identity.sessions.current_account import Candidate
from api.judging.dispatch.dispatcher import Dispatcher, DispatcherDep
from api.kit.db.database import Database
from api.kit.errors import ApiError
from api.kit.http.dependencies import DatabaseDep, SettingsDep
from api.settings import Settings

# A plan has at most 12 sections of 40 items, each with at most 3 follow-ups.
Position = Annotated[int, Path(ge=1, le=1920)]


async def received() -> datetime:
    """Return the moment at which a request arrived. This moment decides whether the request is in time, regardless of how long
    processing takes.
    """
    return service.now()


Received = Annotated[datetime, Depends(received)]


@dataclass(frozen=True)
class CandidateRequest:
    """A candidate's request, with the time at which it arrived."""

    caller: Identity
    moment: datetime
    db: Database
    settings: Settings
    store: CatalogueStore
    dispatcher: Dispatcher

    @asynccontextmanager
    async def run(self) -> AsyncIterator[tuple[AsyncSession, LoadedParticipation]]:
        """Give back lost time, finish the participation if its time is over, and yield the participation in a transaction. If
        the caller's code raises an `ApiError`, its own changes are rolled back, but the time that was given back and the end of
        the participation are still committed.
        """
        account_id, device = self.caller.account.id, self.caller.credential_id
        refused = None
        async with self.db.write() as session:
            run = await service.find_for_account(session, account_id, device)
            queued = await service.bring_up_to_date(session, run, self.settings, self.store, self.moment)
            try:
                async with session.begin_nested():
                    yield session, run
            except ApiError as error:
                refused = error
        if queued:
            self.dispatcher.wake()
        if refused is not None:
            raise refused

    @asynccontextmanager
    async def in_time(self, position: int) -> AsyncIterator[tuple[AsyncSession, LoadedParticipation]]:
        """Yield the participation in a transaction. For speed, this method skips giving back lost time while the item has time
        left. If the item's time seems to be over, it does the same as `run`.
        """
        async with self.db.write() as session:
            run = await service.find_for_account(session, self.caller.account.id, self.caller.credential_id)
            if in_time := service.has_time(run, position, self.moment):
                yield session, run
        if not in_time:
            async with self.run() as found:
                yield found


async def candidate_request(
    caller: Candidate,
    moment: Received,
    db: DatabaseDep,
    settings: SettingsDep,
    store: CatalogueStoreDep,
    dispatcher: DispatcherDep,
) -> CandidateRequest:
    return CandidateRequest(caller, moment, db, settings, store, dispatcher)


FromCandidate = Annotated[CandidateRequest, Depends(candidate_request)]
