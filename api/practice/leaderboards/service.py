"""Checks which board a request asks for, converts cursors, and stores how accounts appear."""

from datetime import datetime

from sqlalchemy import String, bindparam, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.identity.accounts import guests
from api.identity.accounts.models import Account
from api.kit.db.database import hold
from api.kit.errors import ApiError, BadCursor
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.practice.leaderboards import scoring
from api.practice.leaderboards.boards import board
from api.practice.leaderboards.models import Follow, Listing
from api.practice.leaderboards.ranks import Board, Key
from api.practice.leaderboards.schemas import ListingView, Reason, WantedBoard

OWN_ID = bindparam("own_id", type_=String())
# A query for the accounts that an account follows, and that account itself.
FOLLOWED_AND_OWN = select(Follow.followed_id).where(Follow.account_id == OWN_ID).union_all(select(OWN_ID))


class SectionNotFound(ApiError):
    """No challenge in the catalogue belongs to this section."""

    status, code = 404, "section_not_found"


def wanted_board(catalogue: Catalogue, wanted: WantedBoard) -> Board:
    """Return the requested board. Raises `SectionNotFound`, `ChallengeNotFound`."""
    if wanted.challenge:
        catalogue.get(wanted.challenge)
    elif wanted.section and wanted.section not in {each.package.info.section for each in catalogue.challenges}:
        raise SectionNotFound(f"There is no section {wanted.section[:80]!r}.")
    return board(wanted.section, wanted.challenge, wanted.window)


def cursor_of(key: Key) -> str:
    """Return the cursor for the page that follows a key."""
    return encode_cursor(key.points, key.reached_at.isoformat(), key.account_id)


def key_of(cursor: str) -> Key | None:
    """Return the key in a cursor, or None for an empty cursor. Raises `BadCursor`."""
    if not cursor:
        return None
    points, reached_at, account_id = decode_cursor(cursor, (int, str, str))
    try:
        moment = datetime.fromisoformat(str(reached_at))
    except ValueError:
        moment = None
    # The time must have a time zone, because it would be ambiguous otherwise. The points must fit into the database column.
    if moment is None or moment.tzinfo is None or not 0 <= int(points) < 2**31:
        raise BadCursor("This cursor is not valid. Leave it out to start from the first page.")
    return Key(int(points), moment, str(account_id))


async def listing(session: AsyncSession, account_id: str) -> ListingView:
    """Return how an account appears to other users. By default it is listed under its own name."""
    row = await session.get(Listing, account_id)
    return ListingView.model_validate(row) if row else ListingView(listed=True, name="")


async def change_listing(session: AsyncSession, account_id: str, wanted: ListingView) -> None:
    """Store how an account wants to appear. Boards and profile change immediately."""
    await hold(session, f"listing {account_id}")
    await session.merge(Listing(account_id=account_id, listed=wanted.listed, name=wanted.name))
    await session.flush()
    await scoring.update_visibility(session, account_id)


async def why_without_place(session: AsyncSession, account: Account) -> Reason:
    """Return the reason for an account that is not on a board: it is a guest, it is not listed, or it has solved nothing."""
    if guests.is_guest(account):
        return "guest"
    return "nothing_solved" if (await listing(session, account.id)).listed else "unlisted"
