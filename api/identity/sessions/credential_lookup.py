"""Finds the account that sent a request, by the request's session cookie or API token. On PostgreSQL, concurrent look-ups share
one query.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import Depends
from sqlalchemy import ARRAY, Select, String, any_, bindparam, select, update

from api.identity.accounts.hashing import token_hash
from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.identity.sessions.credentials import Identity
from api.kit.batching import Batcher
from api.kit.db.database import Database, Moment, now
from api.kit.http.provided import provided

# The stored time of a credential's last use is updated only if it is older than this. Otherwise each request would need a
# commit.
LAST_USED_STEP = timedelta(minutes=1)
Via = Literal["session", "token"]
KINDS: dict[Via, type[AccountSession] | type[ApiToken]] = {"token": ApiToken, "session": AccountSession}
ONE: Any = bindparam("hash")
# The condition for a look-up of several hashes at once. It is used only on PostgreSQL, because SQLite has no arrays. On SQLite,
# each credential is looked up separately.
MANY: Any = any_(bindparam("hashes", type_=ARRAY(String)))


class Found(NamedTuple):
    """A row of the look-up query."""

    account: Account
    id: str
    last_used_at: datetime | None
    hash: str


def _look_up(via: Via, wanted: Any) -> Select[Account, str, datetime | None, str]:
    kind = KINDS[via]
    query = select(Account, kind.id, kind.last_used_at, kind.token_hash)
    query = query.join(kind, kind.account_id == Account.id).where(kind.token_hash == wanted)
    if via == "session":
        alive = AccountSession.expires_at > bindparam("now", type_=Moment)
        query = query.where(alive, AccountSession.last_used_at > bindparam("idle", type_=Moment))
    return query


# The statements are built only once, not for each request.
LOOK_UP_ONE = {via: _look_up(via, ONE) for via in KINDS}
LOOK_UP_MANY = {via: _look_up(via, MANY) for via in KINDS}


class CredentialLookup:
    """Finds the account that a session cookie or an API token belongs to."""

    def __init__(self, db: Database, idle_hours: int) -> None:
        self._db = db
        self._idle = timedelta(hours=idle_hours)
        self._batcher = {via: Batcher(partial(self._many, via), lambda digest: digest) for via in KINDS}

    async def by_token(self, token: str) -> Identity | None:
        """Return the owner of an API token, or None if the token is not valid."""
        return await self._find("token", token_hash(token))

    async def by_cookie(self, token: str) -> Identity | None:
        """Return the owner of a session. Returns None if the session does not exist, has expired, or has been unused for
        too long.
        """
        return await self._find("session", token_hash(token))

    async def close(self) -> None:
        """Wait until the look-ups that have begun are complete."""
        for gathered in self._batcher.values():
            await gathered.close()

    async def _find(self, via: Via, digest: str) -> Identity | None:
        found = await (self._one(via, digest) if self._db.in_place else self._batcher[via].ask(digest))
        if found is None:
            return None
        await self._touch(via, found)
        return Identity(found.account, via, found.id)

    async def _one(self, via: Via, digest: str) -> Found | None:
        async with self._db.look_up() as session:
            row = (await session.execute(LOOK_UP_ONE[via], {"hash": digest, **self._moments(via)})).one_or_none()
        return row and Found(*row)

    async def _many(self, via: Via, digests: Sequence[str]) -> list[Found | None]:
        async with self._db.look_up() as session:
            rows = await session.execute(LOOK_UP_MANY[via], {"hashes": list(digests), **self._moments(via)})
            by_hash = {found.hash: found for found in (Found(*row) for row in rows)}
        # If two credentials belong to one account, SQLAlchemy returns the same `Account` object for both. Each request must
        # have an object of its own, so the account is read again for the second one.
        first = {id(found.account): found.hash for found in reversed(by_hash.values())}
        return [
            found if found is None or first[id(found.account)] == found.hash else await self._one(via, found.hash)
            for found in map(by_hash.get, digests)
        ]

    def _moments(self, via: Via) -> dict[str, datetime]:
        moment = now()
        return {"now": moment, "idle": moment - self._idle} if via == "session" else {}

    async def _touch(self, via: Via, found: Found) -> None:
        if found.last_used_at is not None and now() - found.last_used_at < LAST_USED_STEP:
            return
        kind = KINDS[via]
        async with self._db.write() as session:
            await session.execute(update(kind).where(kind.id == found.id).values(last_used_at=now()))


CredentialLookupDep = Annotated[CredentialLookup, Depends(provided(CredentialLookup))]
