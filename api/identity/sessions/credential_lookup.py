"""Finds the account that sent a request, by the request's session cookie or API token. On PostgreSQL, concurrent look-ups share
one query.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal, NamedTuple

from sqlalchemy import ARRAY, String, any_, bindparam, select, update

from api.identity.accounts.hashing import token_hash
from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.identity.sessions.credentials import Identity
from api.kit.batching import Batcher
from api.kit.db.database import Database, Moment, now
from api.kit.db.prepared import Prepared, detached

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

    id: str
    last_used_at: datetime | None
    hash: str
    account: Account


def _look_up(via: Via, wanted: Any) -> Prepared:
    kind = KINDS[via]
    query = select(kind.id, kind.last_used_at, kind.token_hash, *Account.__table__.columns)
    query = query.join(kind, kind.account_id == Account.id).where(kind.token_hash == wanted)
    if via == "session":
        alive = AccountSession.expires_at > bindparam("now", type_=Moment)
        query = query.where(alive, AccountSession.last_used_at > bindparam("idle", type_=Moment))
    return Prepared(query)


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
        rows = await self._db.look_up(LOOK_UP_ONE[via], hash=digest, **self._moments(via))
        return _found(rows[0]) if rows else None

    async def _many(self, via: Via, digests: Sequence[str]) -> list[Found | None]:
        rows = await self._db.look_up(LOOK_UP_MANY[via], hashes=list(digests), **self._moments(via))
        by_hash = {found.hash: found for found in map(_found, rows)}
        return [by_hash.get(digest) for digest in digests]

    def _moments(self, via: Via) -> dict[str, datetime]:
        moment = now()
        return {"now": moment, "idle": moment - self._idle} if via == "session" else {}

    async def _touch(self, via: Via, found: Found) -> None:
        if found.last_used_at is not None and now() - found.last_used_at < LAST_USED_STEP:
            return
        kind = KINDS[via]
        async with self._db.write() as session:
            await session.execute(update(kind).where(kind.id == found.id).values(last_used_at=now()))


def _found(row: Sequence[Any]) -> Found:
    identifier, last_used_at, digest, *account = row
    return Found(identifier, last_used_at, digest, detached(Account, account))
