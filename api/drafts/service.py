"""Rules of drafts: whoever saves says which version he started from, so no device overwrites what it has not seen."""

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests
from api.db import changed, now
from api.drafts.models import Draft

SAVES_A_MINUTE = 120


async def find(session: AsyncSession, account_id: str, slug: str) -> Draft | None:
    """The account's draft for a challenge."""
    query = select(Draft).where(Draft.account_id == account_id, Draft.slug == slug)
    found: Draft | None = await session.scalar(query.execution_options(populate_existing=True))
    return found


async def save(session: AsyncSession, wanted: Draft) -> tuple[Draft, bool]:
    """Keep a draft whose `version` is the one that it was made from; returns what is kept now, and whether it is this one.

    The same text saved twice is kept once, so a save whose answer was lost may be sent again.
    """
    before = await find(session, wanted.account_id, wanted.slug)
    if before is None and await _add(session, wanted):
        return wanted, True
    if before is not None and before.source != wanted.source and before.version == wanted.version:
        await _replace(session, wanted)
    kept = await find(session, wanted.account_id, wanted.slug) or wanted
    return kept, kept is not wanted and kept.source == wanted.source


async def drop_previous(session: AsyncSession, account_id: str, slug: str) -> None:
    """Forget the draft that a newer one took the place of."""
    query = update(Draft).where(Draft.account_id == account_id, Draft.slug == slug)
    await session.execute(query.values(previous=None, previous_saved_at=None))


async def _add(session: AsyncSession, wanted: Draft) -> bool:
    wanted.version = 1
    try:
        async with session.begin_nested():
            session.add(wanted)
    except IntegrityError:
        return False
    return True


async def _replace(session: AsyncSession, wanted: Draft) -> bool:
    same = (Draft.account_id == wanted.account_id, Draft.slug == wanted.slug, Draft.version == wanted.version)
    values = {"source": wanted.source, "version": wanted.version + 1, "saved_at": wanted.saved_at}
    return bool(changed(await session.execute(update(Draft).where(*same).values(values))))


@guests.settles
async def settle(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Where guest and account both have a draft, the newer one stays and the other is kept beside it."""
    of_guest = {row.slug: row for row in await session.scalars(select(Draft).where(Draft.account_id == guest_id))}
    both = select(Draft).where(Draft.account_id == account_id, Draft.slug.in_(of_guest))
    for own in (await session.scalars(both)).all():
        other = of_guest[own.slug]
        if other.source != own.source:
            newer, older = (other, own) if other.saved_at > own.saved_at else (own, other)
            values = (newer.source, newer.saved_at, older.source, older.saved_at)
            own.source, own.saved_at, own.previous, own.previous_saved_at = values
            own.version = max(own.version, other.version) + 1
        await session.delete(other)
    await session.flush()


def draft_of(account_id: str, slug: str, source: str, version: int) -> Draft:
    """A draft that is saved now."""
    return Draft(account_id=account_id, slug=slug, source=source, version=version, saved_at=now())
