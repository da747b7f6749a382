"""Stores comments, and decides who may read and change them.

Only accounts that can read the challenge's editorial may read its discussion. To everybody else, a comment looks as if it did
not exist. Nobody gets to see the text of a hidden comment except its author and moderators, who are the admins of the site.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.identity.accounts.models import Account
from api.identity.audit import service as audit
from api.identity.audit.service import Action, Actor
from api.identity.sessions.credentials import Identity
from api.kit.db.database import hold, now
from api.kit.errors import ApiError, TooManyRequests
from api.kit.ids import first_id, new_id
from api.practice.discussions.models import Comment
from api.practice.discussions.schemas import CommentView, NewComment, ThreadView
from api.practice.editorials import service as editorials
from api.practice.leaderboards.models import Listing, shown_name
from api.practice.votes import service as votes
from api.practice.votes.models import CommentVote
from api.practice.votes.schemas import Sort

# The number of comments that an account may send in an hour. Deleted ones count too.
AN_HOUR = 20
# A page of a discussion contains all replies to its comments, so a comment has at most this many.
REPLIES = 50
VOTES = votes.votes_for(CommentVote, Comment.id)


class CommentNotFound(ApiError):
    """There is no such comment, or the caller may not read it."""

    status, code = 404, "comment_not_found"

    def __init__(self, message: str = "There is no comment with this ID. It may have been deleted.") -> None:
        super().__init__(message)


class CommentHidden(ApiError):
    """A moderator has hidden the comment, so it cannot be edited."""

    status, code = 409, "comment_hidden"


class ThreadFull(ApiError):
    """The comment has the maximum number of replies."""

    status, code = 409, "thread_full"


class KeyReused(ApiError):
    """An idempotency key was reused with different content."""

    status, code = 409, "idempotency_key_reused"


async def find(session: AsyncSession, caller: Identity, comment_id: str) -> Comment:
    """Return a comment that the caller may read. Raises `CommentNotFound`, `AskedInInterview`."""
    query = select(Comment).where(Comment.id == comment_id, readable(caller))
    found: Comment | None = await session.scalar(query)
    if found is None:
        raise CommentNotFound
    try:
        await editorials.require_open(session, caller, found.slug)
    except editorials.EditorialClosed:
        raise CommentNotFound from None
    return found


async def find_own(session: AsyncSession, caller: Identity, comment_id: str) -> Comment:
    """Return a comment that the caller wrote. Raises `CommentNotFound`."""
    found: Comment | None = await session.get(Comment, comment_id)
    if found is None or found.author_id != caller.account.id or found.deleted_at is not None:
        raise CommentNotFound
    return found


def readable(caller: Identity, table: type[Comment] = Comment) -> ColumnElement[bool]:
    """Return an SQL condition for comments whose text the caller may read, if the discussion is open to the caller."""
    there = and_(table.deleted_at.is_(None), table.author_id.is_not(None))
    if caller.is_admin:
        return there
    return and_(there, or_(table.hidden_at.is_(None), table.author_id == caller.account.id))


async def threads(
    session: AsyncSession, caller: Identity, slug: str, sort: Sort, cursor: str, limit: int
) -> tuple[list[ThreadView], str | None]:
    """Return one page of a challenge's discussion, and the cursor of the next page. A comment that the caller cannot read is
    left out, unless it has replies that the caller can read. Raises `BadCursor`.
    """
    reply = aliased(Comment)
    answered = exists().where(reply.parent_id == Comment.id, readable(caller, reply)).correlate(Comment)
    first = _viewed(caller).where(Comment.slug == slug, Comment.parent_id.is_(None), or_(readable(caller), answered))
    rows = (await session.execute(votes.page_of(first, sort, VOTES, Comment.id, cursor).limit(limit + 1))).all()
    following = votes.cursor_after(sort, rows[limit - 1][2], rows[limit - 1][0].id) if len(rows) > limit else None
    replies = await _replies(session, caller, [row[0].id for row in rows[:limit]])
    items = [
        ThreadView(**_view(row, caller).model_dump(), replies=[each for each in replies if each.parent_id == row[0].id])
        for row in rows[:limit]
    ]
    return items, following


async def view(session: AsyncSession, caller: Identity, comment_id: str) -> CommentView:
    """Return a comment as the caller sees it. The comment must exist."""
    query = _viewed(caller).where(Comment.id == comment_id).execution_options(populate_existing=True)
    return _view((await session.execute(query)).one(), caller)


async def post(
    session: AsyncSession, caller: Identity, slug: str, wanted: NewComment, key: str | None
) -> tuple[str, bool]:
    """Store a comment. Return its ID, and whether it is new: a repeated request returns the comment that was stored before.
    Raises `EditorialClosed`, `AskedInInterview`, `CommentNotFound`, `ThreadFull`, `KeyReused`, `TooManyRequests`.
    """
    await editorials.require_open(session, caller, slug)
    await hold(session, f"comments {caller.account.id}")
    if key is not None and (earlier := await _sent_before(session, caller, slug, wanted, key)):
        return earlier.id, False
    await _require_below_limit(session, caller)
    if wanted.parent_id is not None:
        await _require_room(session, caller, slug, wanted.parent_id)
    made = Comment(
        id=new_id(),
        slug=slug,
        parent_id=wanted.parent_id,
        author_id=caller.account.id,
        text=wanted.text,
        idempotency_key=key,
        created_at=now(),
    )
    session.add(made)
    await session.flush()
    return made.id, True


async def edit(session: AsyncSession, caller: Identity, comment_id: str, text: str) -> None:
    """Change the text of the caller's own comment. Raises `CommentNotFound`, `CommentHidden`."""
    found = await find_own(session, caller, comment_id)
    if found.hidden_at is not None:
        raise CommentHidden("A moderator has hidden this comment. You can delete it, but not edit it.")
    if found.text != text:
        found.text, found.edited_at = text, now()


async def remove(session: AsyncSession, caller: Identity, comment_id: str) -> None:
    """Delete the caller's own comment. Raises `CommentNotFound`."""
    found = await find_own(session, caller, comment_id)
    await _blank(session, Comment.id == found.id)


async def hide(session: AsyncSession, actor: Actor, comment_id: str, *, hidden: bool) -> None:
    """Hide a comment from everybody but its author and moderators, or restore it. Raises `CommentNotFound`."""
    found: Comment | None = await session.get(Comment, comment_id)
    if found is None or found.deleted_at is not None or found.author_id is None:
        raise CommentNotFound
    if (found.hidden_at is not None) == hidden:
        return
    found.hidden_at = now() if hidden else None
    action = Action.HIDE_COMMENT if hidden else Action.RESTORE_COMMENT
    audit.record(session, actor, action, found.id, challenge=found.slug, author=found.author_id)


async def erase(session: AsyncSession, account_id: str) -> None:
    """Delete all comments of an account that is about to be deleted. Replies of other accounts keep their place."""
    await _blank(session, Comment.author_id == account_id, author_id=None, idempotency_key=None)


def counts() -> Select[str, int]:
    """Return a query for the number of comments and replies that everybody may read, for each challenge that has any."""
    everybody = (Comment.deleted_at.is_(None), Comment.author_id.is_not(None), Comment.hidden_at.is_(None))
    return select(Comment.slug, func.count()).where(*everybody).group_by(Comment.slug)


def _viewed(caller: Identity) -> Select[Comment, str | None, int, bool]:
    voted = votes.voted_by(CommentVote, Comment.id, caller.account.id)
    return (
        select(Comment, shown_name(), VOTES, voted)
        .outerjoin(Account, Account.id == Comment.author_id)
        .outerjoin(Listing, Listing.account_id == Comment.author_id)
    )


def _view(row: Row[Comment, str | None, int, bool], caller: Identity) -> CommentView:
    comment, name, count, voted = row
    mine = comment.author_id == caller.account.id
    gone = comment.deleted_at is not None or comment.author_id is None
    secret = gone or (comment.hidden_at is not None and not mine and not caller.is_admin)
    return CommentView(
        id=comment.id,
        parent_id=comment.parent_id,
        state="deleted" if gone else "hidden" if comment.hidden_at is not None else "shown",
        name="" if secret else name or "",
        text="" if secret else comment.text,
        votes=count,
        voted=voted,
        mine=mine,
        created_at=comment.created_at,
        edited_at=comment.edited_at,
    )


async def _replies(session: AsyncSession, caller: Identity, parents: Sequence[str]) -> list[CommentView]:
    query = _viewed(caller).where(Comment.parent_id.in_(parents), readable(caller)).order_by(Comment.id)
    return [_view(row, caller) for row in await session.execute(query)]


async def _sent_before(
    session: AsyncSession, caller: Identity, slug: str, wanted: NewComment, key: str
) -> Comment | None:
    """Return the comment that the caller sent with this key. Raises `KeyReused`."""
    same = (Comment.author_id == caller.account.id, Comment.idempotency_key == key)
    earlier: Comment | None = await session.scalar(select(Comment).where(*same))
    if earlier is None:
        return None
    changed = earlier.edited_at is not None or earlier.deleted_at is not None
    if (earlier.slug, earlier.parent_id) != (slug, wanted.parent_id) or (not changed and earlier.text != wanted.text):
        raise KeyReused("This Idempotency-Key was used for another comment. Use a fresh key for each.")
    return earlier


async def _require_below_limit(session: AsyncSession, caller: Identity) -> None:
    mine = (Comment.author_id == caller.account.id, Comment.id >= first_id(now() - timedelta(hours=1)))
    if (await session.scalar(select(func.count()).select_from(Comment).where(*mine)) or 0) >= AN_HOUR:
        raise TooManyRequests(f"You can write at most {AN_HOUR} comments an hour. Try again later.", retry_after_s=600)


async def _require_room(session: AsyncSession, caller: Identity, slug: str, parent_id: str) -> None:
    """Check that the caller can reply to this comment. Raises `CommentNotFound`, `ThreadFull`."""
    await hold(session, f"replies {parent_id}")
    first = (Comment.id == parent_id, Comment.slug == slug, Comment.parent_id.is_(None), readable(caller))
    if await session.scalar(select(Comment.id).where(*first)) is None:
        raise CommentNotFound("The comment that you reply to does not exist. It may have been deleted.")
    replies = select(func.count()).select_from(Comment)
    if (
        await session.scalar(replies.where(Comment.parent_id == parent_id, Comment.deleted_at.is_(None))) or 0
    ) >= REPLIES:
        raise ThreadFull(f"This comment has {REPLIES} replies already. Start a new comment instead.")


async def _blank(session: AsyncSession, which: ColumnElement[bool], **values: Any) -> None:
    """Delete the text of comments, and the votes for them."""
    await session.execute(delete(CommentVote).where(CommentVote.target_id.in_(select(Comment.id).where(which))))
    deleted = (
        update(Comment).where(which).values(text="", deleted_at=func.coalesce(Comment.deleted_at, now()), **values)
    )
    await session.execute(deleted)
