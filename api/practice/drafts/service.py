"""Reads and stores drafts. Each save names the version that it is based on, so a device never overwrites changes that it has
not seen.
"""

from sqlalchemy import bindparam, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts import guests
from api.kit.db.database import Database, Moment, now
from api.kit.db.prepared import Prepared, detached
from api.practice.drafts.models import Draft

COLUMNS = Draft.__table__.columns
MINE = Draft.account_id == bindparam("account_id"), Draft.slug == bindparam("slug")
FIND = Prepared(select(*COLUMNS).where(*MINE))
# Adds the draft, or replaces the one that has the expected version. Otherwise, it changes and returns nothing.
SAVE = Prepared(
    text(f"""
    INSERT INTO draft (account_id, slug, source, version, saved_at)
        VALUES (:account_id, :slug, :source, 1, :saved_at)
    ON CONFLICT (account_id, slug) DO UPDATE
        SET source = excluded.source, version = draft.version + 1, saved_at = excluded.saved_at
        WHERE draft.version = :version AND draft.source <> excluded.source
    RETURNING {", ".join(COLUMNS.keys())}
""")
    .bindparams(bindparam("saved_at", type_=Moment))
    .columns(*COLUMNS)
)


async def find(db: Database, account_id: str, slug: str) -> Draft | None:
    """Return the account's draft for a challenge."""
    rows = await db.look_up(FIND, account_id=account_id, slug=slug)
    return detached(Draft, rows[0]) if rows else None


async def save(session: AsyncSession, account_id: str, slug: str, source: str, version: int) -> tuple[Draft, bool]:
    """Save a draft if `version` equals the stored version, or if none is stored. Returns the draft that is stored now, and
    whether it has this text. If not, another device has saved a newer version.

    A save whose response was lost can be repeated: saving the stored text again changes nothing.
    """
    mine = {"account_id": account_id, "slug": slug}
    saved = await SAVE.rows(session, **mine, source=source, version=version, saved_at=now())
    stored = detached(Draft, (saved or await FIND.rows(session, **mine))[0])
    return stored, stored.source == source


async def drop_previous(session: AsyncSession, account_id: str, slug: str) -> None:
    """Delete `previous`, the older of two drafts that were merged when a guest signed in."""
    query = update(Draft).where(Draft.account_id == account_id, Draft.slug == slug)
    await session.execute(query.values(previous=None, previous_saved_at=None))


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
