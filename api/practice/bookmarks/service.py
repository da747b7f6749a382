"""Reads and stores bookmarks and notes."""

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import guests
from api.kit.db.database import now
from api.kit.db.insert_if_absent import insert_if_absent
from api.practice.bookmarks.models import Bookmark, ChallengeNote
from api.practice.bookmarks.schemas import Marks


async def marks(session: AsyncSession, account_id: str) -> Marks:
    """Return which challenges the account has bookmarked, and for which it has a note."""
    marked = select(Bookmark.slug).where(Bookmark.account_id == account_id).order_by(Bookmark.created_at.desc())
    noted = select(ChallengeNote.slug).where(ChallengeNote.account_id == account_id).order_by(ChallengeNote.slug)
    return Marks(bookmarks=list(await session.scalars(marked)), notes=list(await session.scalars(noted)))


async def add_bookmark(session: AsyncSession, account_id: str, slug: str) -> None:
    """Bookmark a challenge. A bookmark that exists stays as it is."""
    await insert_if_absent(session, Bookmark(account_id=account_id, slug=slug, created_at=now()))


async def remove_bookmark(session: AsyncSession, account_id: str, slug: str) -> None:
    """Remove a bookmark, if there is one."""
    await session.execute(delete(Bookmark).where(Bookmark.account_id == account_id, Bookmark.slug == slug))


async def find_note(session: AsyncSession, account_id: str, slug: str) -> ChallengeNote | None:
    """Return the account's note about a challenge."""
    return await session.get(ChallengeNote, (account_id, slug))


async def save_note(session: AsyncSession, account_id: str, slug: str, text: str) -> ChallengeNote | None:
    """Store a note in place of the earlier one. Return it, or None if `text` is blank, which deletes the note."""
    note = await find_note(session, account_id, slug)
    if not text.strip():
        if note is not None:
            await session.delete(note)
        return None
    if note is None and await insert_if_absent(
        session, ChallengeNote(account_id=account_id, slug=slug, text=text, saved_at=now())
    ):
        return await find_note(session, account_id, slug)
    if note := note or await find_note(session, account_id, slug):
        note.text, note.saved_at = text, now()
    return note


@guests.on_guest_merge
async def merge_marks(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Prepare to move a guest's rows to an account. A bookmark of both is kept once. Two notes become one text, the account's
    first.
    """
    own = set(await session.scalars(select(Bookmark.slug).where(Bookmark.account_id == account_id)))
    await session.execute(delete(Bookmark).where(Bookmark.account_id == guest_id, Bookmark.slug.in_(own)))
    of_guest = select(ChallengeNote).where(ChallengeNote.account_id == guest_id)
    for other in (await session.scalars(of_guest)).all():
        note = await find_note(session, account_id, other.slug)
        if note is None:
            continue
        if other.text not in note.text:
            note.text = f"{note.text.rstrip()}\n\n{other.text}"
        note.saved_at = max(note.saved_at, other.saved_at)
        await session.delete(other)
    await session.flush()
