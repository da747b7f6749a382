"""Reads and stores drafts. Each save names the version that it is based on, so a device never overwrites changes that it has
not seen.
"""

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import guests
from api.kit.db.database import changed, now
from api.practice.drafts.models import Draft


async def find(session: AsyncSession, account_id: str, slug: str) -> Draft | None:
    """Return the account's draft for a challenge."""
    query = select(Draft).where(Draft.account_id == account_id, Draft.slug == slug)
    found: Draft | None = await session.scalar(query.execution_options(populate_existing=True))
    return found


async def save(session: AsyncSession, wanted: Draft) -> tuple[Draft, bool]:
    """Save a draft if its `version` equals the stored version. Returns the draft that is stored now, and whether it has this
    text. If not, another device has saved a newer version.

    A save whose response was lost can be repeated: saving the stored text again changes nothing.
    """
    before = await find(session, wanted.account_id, wanted.slug)
    if before is None and await _add(session, wanted):
        return wanted, True
    if before is not None and before.source != wanted.source and before.version == wanted.version:
        await _replace(session, wanted)
    kept = await find(session, wanted.account_id, wanted.slug) or wanted
    return kept, kept is not wanted and kept.source == wanted.source


async def drop_previous(session: AsyncSession, account_id: str, slug: str) -> None:
    """Delete `previous`, the older of two drafts that were merged when a guest signed in."""
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


@guests.on_guest_merge
async def merge_drafts(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Prepare to move a guest's drafts to an account. If guest and account have a draft for the same challenge, the newer text
    becomes the account's draft, and the older text its `previous`.
    """
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
    """Build a draft whose save time is now."""
    return Draft(account_id=account_id, slug=slug, source=source, version=version, saved_at=now())
