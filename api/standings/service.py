"""Rules of boards: which there are, cursors on them, who is listed."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import guests
from api.accounts.models import Account
from api.catalogue.service import Catalogue
from api.db import hold
from api.errors import ApiError, BadCursor
from api.pagination import decode_cursor, encode_cursor
from api.standings import settling
from api.standings.boards import Board, Key, board
from api.standings.models import Listing
from api.standings.schemas import ListingView, Reason, WantedBoard


class SectionNotFound(ApiError):
    """No served challenge is of this section."""

    status, code = 404, "section_not_found"


def wanted_board(catalogue: Catalogue, wanted: WantedBoard) -> Board:
    """The board that somebody asks for. Raises `SectionNotFound`, `ChallengeNotFound`."""
    if wanted.challenge:
        catalogue.get(wanted.challenge)
    elif wanted.section and wanted.section not in {each.package.info.section for each in catalogue.challenges}:
        raise SectionNotFound(f"There is no section {wanted.section[:80]!r}. See /api/challenges for all of them.")
    return board(wanted.section, wanted.challenge, wanted.window)


def cursor_of(key: Key) -> str:
    """The cursor for what comes after a key."""
    return encode_cursor(key.points, key.reached_at.isoformat(), key.account_id)


def key_of(cursor: str) -> Key | None:
    """The key in a cursor; None for an empty one. Raises `BadCursor`."""
    if not cursor:
        return None
    points, reached_at, account_id = decode_cursor(cursor, (int, str, str))
    try:
        moment = datetime.fromisoformat(str(reached_at))
    except ValueError:
        moment = None
    # A moment without its zone means another one on another machine; a number may be larger than a column takes.
    if moment is None or moment.tzinfo is None or not 0 <= int(points) < 2**31:
        raise BadCursor("This cursor was not made here. Leave it out to start from the first page.")
    return Key(int(points), moment, str(account_id))


async def listing(session: AsyncSession, account_id: str) -> ListingView:
    """How an account appears to others."""
    row = await session.get(Listing, account_id)
    return ListingView.model_validate(row) if row else ListingView(listed=True, name="")


async def change_listing(session: AsyncSession, account_id: str, wanted: ListingView) -> None:
    """Write down how an account wants to appear; it does from now on."""
    await hold(session, f"listing {account_id}")
    await session.merge(Listing(account_id=account_id, listed=wanted.listed, name=wanted.name))
    await session.flush()
    await settling.show(session, account_id)


async def why_without_place(session: AsyncSession, account: Account) -> Reason:
    """Why an account is not on a board."""
    if guests.is_guest(account):
        return "guest"
    return "nothing_solved" if (await listing(session, account.id)).listed else "unlisted"
