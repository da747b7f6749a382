"""Erases rooms. A room belongs to the account of its candidate, so it is erased with this account, like a participation."""

from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.hiring.room_records.models import Room
from api.identity.accounts.models import Account
from api.kit.db.database import Database, delete_some, now
from api.kit.ids import first_id

AT_ONCE = 50


async def erase(session: AsyncSession, room: Room) -> None:
    """Erase a room with its document, its transcript, and everything that was judged in it."""
    await session.execute(delete(Account).where(Account.id == room.account_id))


async def erase_old_rooms(db: Database, days: int) -> int:
    """Erase a batch of rooms that were created more than this many days ago. Returns how many were erased. If it is smaller
    than AT_ONCE, nothing is left to erase.
    """
    old = select(Room.account_id).where(Room.id < first_id(now() - timedelta(days=days)))
    async with db.write() as session:
        return await delete_some(session, Account, Account.id.in_(old), AT_ONCE)
