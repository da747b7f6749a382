"""Reads speed boards: their pages, and places on them."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue, Challenge
from api.identity.accounts.models import Account
from api.kit.errors import ApiError
from api.practice.measurements import entries
from api.practice.measurements.answer_estimates import plan_digest
from api.practice.measurements.models import (
    IS_LISTED,
    IS_RUNNING,
    IS_WAITING,
    WITHDRAWN,
    Measurement,
    SpeedBoard,
    SpeedEntry,
)
from api.practice.measurements.queueing import current_board
from api.practice.speed_boards.measurement_progress import progress_of
from api.practice.speed_boards.moderation import with_names
from api.practice.speed_boards.ranks import SpeedRanks, cursor_of, key_of
from api.practice.speed_boards.schemas import (
    HouseRow,
    OwnSpeed,
    ProfileSpeed,
    Role,
    SpeedBoardPage,
    SpeedBoardSummary,
    SpeedBoardView,
    WantedSpeedBoard,
    WithdrawnView,
    interval_view,
    place_view,
)

# The maximum numbers of entries that are being confirmed, of withdrawn answers and of measurements on a page.
CONFIRMING, WITHDRAWN_SHOWN, ATTEMPTS = 20, 50, 30
ROLES: tuple[Role, ...] = ("baseline", "library", "best")


class NotScored(ApiError):
    """Answers to this challenge are not measured."""

    status, code = 404, "not_scored"


class SpeedBoardNotFound(ApiError):
    """The challenge has no speed board with this ID."""

    status, code = 404, "speed_board_not_found"


def scored_challenge(catalogue: Catalogue, slug: str) -> Challenge:
    """Return a challenge whose answers are measured. Raises `ChallengeNotFound`, `NotScored`."""
    challenge = catalogue.get(slug)
    if challenge.scored is None:
        raise NotScored("Answers to this challenge are not measured, so it has no speed board.")
    return challenge


async def page(
    ranks: SpeedRanks, challenge: Challenge, wanted: WantedSpeedBoard, viewer: Account | None, *, admin: bool
) -> SpeedBoardPage:
    """Return a page of a speed board. Raises `SpeedBoardNotFound`, `BadCursor`."""
    assert challenge.scored is not None
    session, slug, key = ranks.session, challenge.package.slug, key_of(wanted.cursor)
    boards = await _boards(session, slug)
    current = await current_board(session, slug, plan_digest(challenge.scored.plan))
    board = await wanted_board(session, challenge, wanted.board) if wanted.board else current
    views = [board_view(each, current) for each in boards]
    shown = SpeedBoardPage(
        slug=slug,
        title=challenge.package.info.title,
        quantity=challenge.scored.quantity.value,
        sizes=[each.size for each in challenge.scored.sizes],
        board=next((each for each in views if board and each.id == board.id), None),
        boards=views,
        house=[],
        items=[],
        confirming=[],
        withdrawn=[],
        waiting=await _unfinished(session, slug),
        total=0,
        next_cursor=None,
    )
    if board is None:
        return shown
    places = await ranks.after(board.id, key, wanted.limit + 1)
    # Entries that share a place are ordered by their estimates.
    items = sorted(places[: wanted.limit], key=lambda each: (each.rank or 0, -each.entry.log_ratio))
    house = await entries.house(session, board.id)
    shown.house = [
        HouseRow(role=role, id=house[role][0].id, interval=interval_view(house[role][1].interval(board.noise)))
        for role in ROLES
        if role in house
    ]
    shown.items = [place_view(place) for place in items]
    shown.confirming = [place_view(place) for place in await ranks.confirming(board.id, CONFIRMING)]
    shown.total = await ranks.size(board.id)
    shown.next_cursor = cursor_of(places[wanted.limit - 1].key) if len(places) > wanted.limit else None
    if viewer is not None:
        shown.withdrawn = await _withdrawn(session, board.id, None if admin else viewer.id)
    return shown


async def wanted_board(session: AsyncSession, challenge: Challenge, board_id: str) -> SpeedBoard | None:
    """Return the board of a challenge with this ID or, if the ID is empty, the current one. A challenge may have none yet.
    Raises `SpeedBoardNotFound`.
    """
    assert challenge.scored is not None
    if not board_id:
        return await current_board(session, challenge.package.slug, plan_digest(challenge.scored.plan))
    board: SpeedBoard | None = await session.get(SpeedBoard, board_id)
    if board is None or board.slug != challenge.package.slug:
        raise SpeedBoardNotFound(
            "This challenge has no speed board with this ID. Leave the ID out to get the current one."
        )
    return board


def board_view(board: SpeedBoard, current: SpeedBoard | None) -> SpeedBoardView:
    return SpeedBoardView(
        id=board.id,
        current=current is not None and board.id == current.id,
        cpu=board.cpu,
        torch=board.torch,
        runner=board.runner,
        gflops=board.gflops,
        gb_per_s=board.gb_per_s,
        noise=board.noise,
        created_at=board.created_at,
        measured_at=board.measured_at,
    )


async def summaries(ranks: SpeedRanks, catalogue: Catalogue) -> list[SpeedBoardSummary]:
    """Return all scored challenges with the first entries of their boards."""
    found = []
    for challenge in catalogue.challenges:
        if challenge.scored is None:
            continue
        board = await wanted_board(ranks.session, challenge, "")
        first = await ranks.after(board.id, None, 1) if board else []
        found.append(
            SpeedBoardSummary(
                slug=challenge.package.slug,
                title=challenge.package.info.title,
                quantity=challenge.scored.quantity.value,
                entries=await ranks.size(board.id) if board else 0,
                first=place_view(first[0]) if first else None,
            )
        )
    return found


async def own(ranks: SpeedRanks, challenge: Challenge, wanted: WantedSpeedBoard, account_id: str) -> OwnSpeed:
    """Return an account's entry, the places around it, and its last measurements. Raises `SpeedBoardNotFound`."""
    board = await wanted_board(ranks.session, challenge, wanted.board)
    around = await ranks.around(board.id, account_id, wanted.limit) if board else []
    mine = next((place for place in around if place.entry.account_id == account_id), None)
    if board is not None and mine is None:
        # An entry that is being confirmed, or that only its owner sees.
        mine = await ranks.of_account(board.id, account_id)
    total = await ranks.size(board.id) if board else 0
    progress = await progress_of(ranks, account_id, challenge.package.slug)
    if board is not None:
        progress.known[board.id] = mine, total
    # A confirmation is shown as a part of the measurement that it confirms.
    rows = [row for row in progress.rows if row.wanted_board_id is None][:ATTEMPTS]
    return OwnSpeed(
        mine=place_view(mine) if mine else None,
        items=[place_view(place) for place in around],
        total=total,
        attempts=[await progress.view(row) for row in rows],
    )


async def profile_places(ranks: SpeedRanks, account_id: str, catalogue: Catalogue) -> list[ProfileSpeed]:
    """Return an account's places on the current speed boards, in the order of the catalogue."""
    query = select(SpeedEntry.board_id).where(SpeedEntry.account_id == account_id, IS_LISTED)
    mine = set(await ranks.session.scalars(query))
    found = []
    for challenge in catalogue.challenges if mine else ():
        board = await wanted_board(ranks.session, challenge, "") if challenge.scored else None
        if board is None or challenge.scored is None or board.id not in mine:
            continue
        place = await ranks.of_account(board.id, account_id)
        if place is not None and place.rank is not None:
            found.append(
                ProfileSpeed(
                    slug=board.slug,
                    entry_id=place.entry.measurement_id,
                    quantity=challenge.scored.quantity.value,
                    rank=place.rank,
                    total=await ranks.size(board.id),
                    ratio=place.entry.ratio,
                )
            )
    return found


async def _unfinished(session: AsyncSession, slug: str) -> int:
    """Return how many answers to a challenge wait or are being measured."""
    answers = (Measurement.slug == slug, Measurement.role == "")
    # One query for each state, because each has a partial index.
    counts = [await session.scalar(select(func.count()).where(state, *answers)) for state in (IS_WAITING, IS_RUNNING)]
    return sum(count or 0 for count in counts)


async def _boards(session: AsyncSession, slug: str) -> Sequence[SpeedBoard]:
    query = select(SpeedBoard).where(SpeedBoard.slug == slug)
    return (await session.scalars(query.order_by(SpeedBoard.measured_at.desc()).limit(20))).all()


async def _withdrawn(session: AsyncSession, board_id: str, account_id: str | None) -> list[WithdrawnView]:
    """Return the withdrawn answers of a board: all of them, or those of one account."""
    query = with_names().where(Measurement.board_id == board_id, Measurement.review == WITHDRAWN)
    if account_id is not None:
        query = query.where(Measurement.account_id == account_id)
    found = await session.execute(query.order_by(Measurement.id.desc()).limit(WITHDRAWN_SHOWN))
    return [
        WithdrawnView(
            id=row.id,
            account_id=row.account_id or "",
            name=name,
            reason=row.review_reason,
            at=row.reviewed_at or row.asked_at,
        )
        for row, name in found
    ]
