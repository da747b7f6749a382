"""Inserts a row that another request may be inserting at the same moment."""

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.kit.db.database import Table


async def insert_if_absent(session: AsyncSession, row: Table) -> bool:
    """Insert a row. Returns False if the database refuses it: a row with its key exists, or a row that it refers to does not.

    The transaction can be used afterwards in both cases.
    """
    try:
        async with session.begin_nested():
            session.add(row)
    except IntegrityError:
        return False
    return True
