"""Tokens of nodes on other machines: who may join, and what nats-server is told of them.

A token holds the node's name and the seed of its key; here is the public key only.
"""

import asyncio
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.background import Keeper
from api.db import Database, changed, hold, now
from api.errors import ApiError
from api.judging.models import NodeToken
from api.settings import Settings
from grader import subjects
from grader.nkey import new_seed, public_key

MOST = 1000
# How long a change may take to reach nats-server, besides the second in which it looks.
WRITE_EVERY_S = 1.0
HEAD = "# Written by Gradus, anew whenever a node's token is made or revoked. It holds the service's own password.\n"


class TooManyNodeTokens(ApiError):
    """There are as many as are allowed."""

    status, code = 409, "too_many_tokens"


async def make(session: AsyncSession, name: str) -> str:
    """A token for the node of this name; one that there was is worthless from now on. Raises `TooManyNodeTokens`."""
    await hold(session, "node tokens")
    seed = new_seed()
    values = {"public_key": public_key(seed), "created_at": now(), "joined_at": None}
    if not changed(await session.execute(update(NodeToken).where(NodeToken.name == name).values(values))):
        if (await session.scalar(select(func.count()).select_from(NodeToken)) or 0) >= MOST:
            raise TooManyNodeTokens(f"There are {MOST} tokens of nodes. Revoke one first.")
        session.add(NodeToken(name=name, **values))
    return subjects.token_of(name, seed)


async def all_of(session: AsyncSession) -> list[NodeToken]:
    """All tokens by name."""
    return list(await session.scalars(select(NodeToken).order_by(NodeToken.name)))


async def revoke(session: AsyncSession, name: str) -> bool:
    """Make a token worthless; False if there is none."""
    row = await session.get(NodeToken, name)
    if row is not None:
        await session.delete(row)
    return row is not None


async def joined(session: AsyncSession, name: str) -> bool:
    """Note that a node has joined; False if it has no token any more."""
    return bool(changed(await session.execute(update(NodeToken).where(NodeToken.name == name).values(joined_at=now()))))


def address(url: str) -> str:
    """A server's address without what opens it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if url else ""


def users(url: str, tokens: Sequence[NodeToken]) -> str:
    """What nats-server includes: who may connect, and to what. `url` holds the name and the password of the service."""
    parts = urlsplit(url)
    lines = [HEAD, "authorization {\n  users = [\n"]
    if parts.username:
        lines.append(f"    {{ user: {json.dumps(parts.username)}, password: {json.dumps(parts.password or '')} }}\n")
    for token in tokens:
        to, of = json.dumps(subjects.published_by(token.name)), json.dumps(subjects.heard_by(token.name))
        permissions = f"{{ publish: {to}, subscribe: {of}, allow_responses: true }}"
        lines.append(f"    # {token.name}\n    {{ nkey: {token.public_key}, permissions: {permissions} }}\n")
    return "".join([*lines, "  ]\n}\n"])


class UsersFile(Keeper):
    """Keeps the file that nats-server reads as the tokens are."""

    def __init__(self, settings: Settings, db: Database) -> None:
        super().__init__(self._round)
        self._db, self._path = db, settings.nats_users
        self._url = settings.nats_url.get_secret_value()
        self._written = ""

    async def _round(self) -> None:
        if self._path is None:
            await asyncio.sleep(3600)
            return
        async with self._db.read() as session:
            text = users(self._url, await all_of(session))
        if text != self._written:
            await asyncio.to_thread(_replace, self._path, text)
            self._written = text
        await asyncio.sleep(WRITE_EVERY_S)


def _replace(path: Path, text: str) -> None:
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # mkstemp makes it readable by its owner only.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    os.replace(name, path)
