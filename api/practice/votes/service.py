"""Stores and counts votes, and sorts lists by them. Whether the caller may vote is checked by the caller of this module."""

from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, delete, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from api.kit.db.insert_if_absent import insert_if_absent
from api.kit.errors import ApiError, BadCursor
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.practice.votes.models import CommentVote, SharedAnswerVote
from api.practice.votes.schemas import Sort, VoteView

VoteTable = type[CommentVote] | type[SharedAnswerVote]
# No list has items with more votes. A cursor with a larger number is not one of ours, and databases refuse larger integers.
MOST_VOTES = 2**31 - 1


class OwnContent(ApiError):
    """Nobody can vote for their own comments and answers."""

    status, code = 409, "own_content"


async def set_vote(session: AsyncSession, table: VoteTable, target_id: str, account_id: str, *, on: bool) -> VoteView:
    """Add or take back the account's vote. Doing it again changes nothing."""
    if on:
        # Refused if the vote exists, or if another request has deleted what it is for.
        await insert_if_absent(session, table(target_id=target_id, account_id=account_id))
    else:
        await session.execute(delete(table).where(table.target_id == target_id, table.account_id == account_id))
    votes = await session.scalar(select(func.count()).select_from(table).where(table.target_id == target_id))
    return VoteView(votes=votes or 0, voted=on)


def votes_for(table: VoteTable, target: InstrumentedAttribute[str]) -> ScalarSelect[int]:
    """Return an SQL expression that counts the votes for each row of a query. `target` is the ID of the row."""
    return (
        select(func.count())
        .select_from(table)
        .where(table.target_id == target)
        .correlate(target.class_)
        .scalar_subquery()
    )


def voted_by(table: VoteTable, target: InstrumentedAttribute[str], account_id: str) -> ColumnElement[bool]:
    """Return an SQL condition for rows that the account has voted for."""
    return exists().where(table.target_id == target, table.account_id == account_id).correlate(target.class_)


def page_of(
    query: Select[*tuple[Any, ...]],
    sort: Sort,
    votes: ScalarSelect[int],
    target: InstrumentedAttribute[str],
    cursor: str,
) -> Select[*tuple[Any, ...]]:
    """Sort a query, and continue it after the item that the cursor names. Raises `BadCursor`.

    If votes change between two requests, an item can appear on both pages or on neither.
    """
    if sort == "newest":
        query = query.order_by(target.desc())
        return query.where(target < str(decode_cursor(cursor, (str,))[0])) if cursor else query
    query = query.order_by(votes.desc(), target.desc())
    if not cursor:
        return query
    count, last = decode_cursor(cursor, (int, str))
    if not 0 <= int(count) <= MOST_VOTES:
        raise BadCursor("This cursor is not valid. Leave it out to start from the first page.")
    return query.where(or_(votes < count, and_(votes == count, target < last)))


def cursor_after(sort: Sort, votes: int, target_id: str) -> str:
    """Return the cursor of the page after this item."""
    return encode_cursor(target_id) if sort == "newest" else encode_cursor(votes, target_id)
