"""Reads and writes shared documents in SQL. Updates are only ever added. A snapshot of the document makes loading it quick.

Several processes may add updates to one document. `append` holds a lock, so the updates get consecutive numbers, and a process
that has read the updates up to a number has missed none before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.room_documents.document import Document, update_that_writes
from api.hiring.room_records.models import RoomSnapshot, RoomUpdate
from api.kit.db.database import hold, now

# A snapshot is stored after this many updates.
SNAPSHOT_EVERY = 500
# Maximum size of all updates of a document. An hour of typing by two people is about one MiB.
DOCUMENT_BYTES = 16 * 1024 * 1024
UPDATES = RoomUpdate.metadata.tables["room_update"]


@dataclass(frozen=True)
class Loaded:
    """A document with the number of its newest update, and the size of all its updates in bytes."""

    document: Document
    sequence: int
    size: int


@dataclass(frozen=True)
class Stored:
    """An update with its number."""

    sequence: int
    data: bytes


async def load(session: AsyncSession, room_id: str) -> Loaded:
    """Build a document from its snapshot and the updates after it."""
    snapshot = await session.get(RoomSnapshot, room_id)
    sequence = snapshot.sequence if snapshot else 0
    later = await after(session, room_id, sequence)
    size = select(func.coalesce(func.sum(func.length(RoomUpdate.data)), 0)).where(RoomUpdate.room_id == room_id)
    updates = [each.data for each in later]
    document = Document([snapshot.data, *updates] if snapshot else updates)
    return Loaded(document, later[-1].sequence if later else sequence, await session.scalar(size) or 0)


async def after(session: AsyncSession, room_id: str, sequence: int) -> list[Stored]:
    """Return the updates after this number, in order."""
    query = select(RoomUpdate.sequence, RoomUpdate.data).where(
        RoomUpdate.room_id == room_id, RoomUpdate.sequence > sequence
    )
    return [Stored(*row) for row in await session.execute(query.order_by(RoomUpdate.sequence))]


async def append(
    session: AsyncSession, room_id: str, known: int, updates: Sequence[tuple[str | None, bytes]]
) -> tuple[list[Stored], int]:
    """Add updates, each with the id of its author. `known` is the number of the newest update that the caller has read.

    Returns the updates that others have stored after it, and the number of the last update that was added.
    """
    await hold(session, f"document {room_id}")
    others = await after(session, room_id, known)
    sequence, moment = others[-1].sequence if others else known, now()
    rows: list[dict[str, Any]] = [
        {"room_id": room_id, "sequence": sequence + place, "at": moment, "author_id": author, "data": data}
        for place, (author, data) in enumerate(updates, start=1)
    ]
    if rows:
        await session.execute(insert(UPDATES), rows)
    return others, sequence + len(rows)


async def store_snapshot(session: AsyncSession, room_id: str, sequence: int, data: bytes) -> None:
    await session.merge(RoomSnapshot(room_id=room_id, sequence=sequence, data=data))


async def write_code(session: AsyncSession, room_id: str, position: int, text: str) -> None:
    """Write the starter code of a challenge into the document."""
    newest = select(func.max(RoomUpdate.sequence)).where(RoomUpdate.room_id == room_id)
    await hold(session, f"document {room_id}")
    await append(session, room_id, await session.scalar(newest) or 0, [(None, update_that_writes(position, text))])
