"""Manages the tokens with which nodes on other machines join, and writes the users file that nats-server reads.

A token contains the node's name and the seed from which its private key is derived. Only the public key is stored here.
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

from api.judging.submissions.models import NodeToken
from api.kit.db.database import Database, changed, hold, now
from api.kit.errors import ApiError
from api.kit.supervised_task import SupervisedTask, pause
from api.settings import Settings
from grader.contract import subjects
from grader.contract.nkey import new_seed, public_key

MOST = 1000
# Seconds between two checks whether the users file still matches the tokens. nats-server rereads the file once a second.
WRITE_EVERY_S = 1.0
HEAD = "# Written by Gradus whenever a node's token is created or revoked. It contains the service's own password.\n"


class TooManyNodeTokens(ApiError):
    """The maximum number of tokens is reached."""

    status, code = 409, "too_many_tokens"


async def make(session: AsyncSession, name: str, *, elastic: bool = False) -> str:
    """Create a token for the node of this name. An earlier token of the node becomes invalid. Raises `TooManyNodeTokens`."""
    await hold(session, "node tokens")
    seed = new_seed()
    values = {"public_key": public_key(seed), "created_at": now(), "joined_at": None, "elastic": elastic}
    if not changed(await session.execute(update(NodeToken).where(NodeToken.name == name).values(values))):
        if (await session.scalar(select(func.count()).select_from(NodeToken)) or 0) >= MOST:
            raise TooManyNodeTokens(f"There are {MOST} tokens of nodes. Revoke one first.")
        session.add(NodeToken(name=name, **values))
    return subjects.token_of(name, seed)


async def all_of(session: AsyncSession) -> list[NodeToken]:
    """Return all tokens, sorted by node name."""
    return list(await session.scalars(select(NodeToken).order_by(NodeToken.name)))


async def revoke(session: AsyncSession, name: str) -> bool:
    """Revoke the token of this node. Returns False if the node has none."""
    row = await session.get(NodeToken, name)
    if row is not None:
        await session.delete(row)
    return row is not None


async def joined(session: AsyncSession, name: str, device: str) -> bool:
    """Record that a node has joined, and its kind of device. Returns False if the node no longer has a token."""
    values = {"joined_at": now(), "seen_at": now(), "device": device}
    return bool(changed(await session.execute(update(NodeToken).where(NodeToken.name == name).values(values))))


async def seen(session: AsyncSession, devices: dict[str, str]) -> None:
    """Record that these nodes are connected now. `devices` maps the name of each node to its kind of device."""
    for device in set(devices.values()):
        names = [name for name, on in devices.items() if on == device]
        there = update(NodeToken).where(NodeToken.name.in_(names)).values(seen_at=now(), device=device)
        await session.execute(there)


def address(url: str) -> str:
    """Return a server's URL without credentials."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if url else ""


def users(url: str, tokens: Sequence[NodeToken]) -> str:
    """Return the text of nats-server's users file, which says who may connect to it and with which permissions. `url` contains
    the service's own name and password for nats-server.
    """
    parts = urlsplit(url)
    lines = [HEAD, "authorization {\n  users = [\n"]
    if parts.username:
        lines.append(f"    {{ user: {json.dumps(parts.username)}, password: {json.dumps(parts.password or '')} }}\n")
    for token in tokens:
        to, of = json.dumps(subjects.published_by(token.name)), json.dumps(subjects.heard_by(token.name))
        permissions = f"{{ publish: {to}, subscribe: {of}, allow_responses: true }}"
        lines.append(f"    # {token.name}\n    {{ nkey: {token.public_key}, permissions: {permissions} }}\n")
    return "".join([*lines, "  ]\n}\n"])


class NatsUsersFile(SupervisedTask):
    """Rewrites the users file of nats-server when tokens change."""

    def __init__(self, settings: Settings, db: Database) -> None:
        super().__init__(self._round)
        self._db, self._path = db, settings.nats_users
        self._url = settings.nats_url.get_secret_value()
        self._written = ""

    async def _round(self) -> None:
        if self._path is None:
            await pause(3600)
            return
        async with self._db.read() as session:
            text = users(self._url, await all_of(session))
        if text != self._written:
            await asyncio.to_thread(_replace, self._path, text)
            self._written = text
        await pause(WRITE_EVERY_S)


def _replace(path: Path, text: str) -> None:
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # mkstemp creates the file readable only by its owner.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    os.replace(name, path)
