"""Stores grades and settings of revision cards. A grade that is sent twice counts once. Only the last grade can be undone. A
card that was made from a quiz question is shown only after the account has answered the question.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Select, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.identity.accounts.guests import on_guest_merge
from api.kit.db.database import now
from api.kit.errors import ApiError, TooManyRequests
from api.kit.ids import new_id
from api.practice.cards.deck import Card, Deck, deck_of, topics_of
from api.practice.cards.models import CardReview, CardSetting, CardState
from api.practice.cards.plan import Day
from api.practice.cards.scheduling import RATINGS, dump_schedule, grade, restore_schedule
from api.practice.cards.schemas import NewReview, WantedDeck
from api.practice.quizzes.service import LastMarks, last_marks

NEW_PER_DAY = 10
REVIEWS_A_DAY = 2000


class CardNotFound(ApiError):
    """The card does not exist, or its quiz question has not been answered yet."""

    status, code = 404, "card_not_found"


class ReviewNotFound(ApiError):
    """The review does not exist, or it belongs to another account."""

    status, code = 404, "review_not_found"


class CardChanged(ApiError):
    """The card was graded in the meantime, perhaps on another device."""

    status, code = 409, "card_changed"


class CannotUndo(ApiError):
    """The review is not the latest one."""

    status, code = 409, "cannot_undo"


@dataclass(frozen=True)
class Learner:
    """The data needed to plan an account's revision. `marks` says for each answered quiz question whether the last answer was
    right. `done` is how many grades the account gave today, and `last` is the latest of all its grades.
    """

    rows: Mapping[str, CardState]
    marks: LastMarks
    new_per_day: int
    done: int
    last: CardReview | None

    def shown(self, deck: Deck, topics: Iterable[str]) -> list[Card]:
        """Return the cards of these topics that the account may see."""
        cards = (card for topic in topics for card in deck.by_topic[topic])
        return [card for card in cards if not card.question or (card.topic, card.question) in self.marks]

    def new_left(self, day: Day) -> int:
        """Return how many more new cards the account may start today according to its setting. The result is negative if the
        account started more cards today and then lowered the setting.
        """
        begun = sum(row.learnt_at is not None and row.learnt_at >= day.start for row in self.rows.values())
        return self.new_per_day - begun


async def learner(session: AsyncSession, account_id: str, day: Day) -> Learner:
    rows = await session.scalars(select(CardState).where(CardState.account_id == account_id))
    setting = await session.get(CardSetting, account_id)
    own = select(CardReview).where(CardReview.account_id == account_id).order_by(CardReview.id.desc())
    done = select(func.count()).where(CardReview.account_id == account_id, CardReview.reviewed_at >= day.start)
    return Learner(
        rows={row.card: row for row in rows},
        marks=await last_marks(session, account_id),
        new_per_day=setting.new_per_day if setting else NEW_PER_DAY,
        done=await session.scalar(done) or 0,
        last=await session.scalar(own.limit(1)),
    )


def deck(catalogue: Catalogue, wanted: WantedDeck, who: Learner) -> list[Card]:
    """Return the cards of a deck that the account may see. Raises `TrackNotFound`."""
    section = wanted.name if wanted.deck == "section" else ""
    track = wanted.name if wanted.deck == "track" else ""
    cards = who.shown(deck_of(catalogue), topics_of(catalogue, section=section, track=track))
    if wanted.deck == "mine":
        return [card for card in cards if card.id in who.rows]
    if wanted.deck == "missed":
        return [card for card in cards if card.question and not who.marks[card.topic, card.question]]
    return cards


async def find(session: AsyncSession, account_id: str, catalogue: Catalogue, card_id: str) -> Card:
    """Return a card that the account may see. Raises `CardNotFound`."""
    card = deck_of(catalogue).by_id.get(card_id)
    if card and (not card.question or (card.topic, card.question) in await last_marks(session, account_id)):
        return card
    raise CardNotFound("This card does not exist, or you have not answered its question yet. Load the cards again.")


async def review(session: AsyncSession, account_id: str, given: NewReview) -> CardReview:
    """Store a grade. If it was already stored for this version of the card, return the stored review. Raises `CardChanged`,
    `TooManyRequests`.
    """
    rating = RATINGS[given.rating]
    row = await session.get(CardState, (account_id, given.card), with_for_update=True)
    if (row.version if row else 0) != given.version:
        return await _sent_before(session, account_id, given)
    await _require_below_limit(session, account_id)
    moment = now()
    row = row or _row(session, account_id, given.card)
    before = dump_schedule(row)
    grade(row, rating, moment)
    row.version += 1
    made = CardReview(
        id=new_id(),
        account_id=account_id,
        card=given.card,
        rating=rating.value,
        version=row.version,
        before=before,
        reviewed_at=moment,
    )
    session.add(made)
    await _flush(session)
    return made


async def undo(session: AsyncSession, account_id: str, review_id: str) -> None:
    """Undo the last review. Raises `ReviewNotFound`, `CannotUndo`."""
    made = await session.get(CardReview, review_id)
    if made is None or made.account_id != account_id:
        raise ReviewNotFound("You have no review with this ID. It may have been undone already.")
    newest = await session.scalar(select(func.max(CardReview.id)).where(CardReview.account_id == account_id))
    row = await session.get(CardState, (account_id, made.card), with_for_update=True)
    if newest != made.id or row is None or (row.version, row.last_review) != (made.version, made.reviewed_at):
        raise CannotUndo("Only your last grade can be undone.")
    restore_schedule(row, made.before)
    row.version += 1
    await session.delete(made)


async def suspend(session: AsyncSession, account_id: str, card_id: str, *, suspended: bool) -> None:
    """Suspend a card, or resume it."""
    row = await session.get(CardState, (account_id, card_id)) or _row(session, account_id, card_id)
    row.suspended = suspended
    await _flush(session)


async def add(session: AsyncSession, account_id: str, cards: Iterable[Card]) -> None:
    """Add these cards to the account's deck; they become its next new cards. Cards that were suspended are resumed."""
    known = {row.card: row for row in await session.scalars(_rows(account_id, [card.id for card in cards]))}
    for card in cards:
        row = known.get(card.id) or _row(session, account_id, card.id)
        row.suspended = False
    await _flush(session)


async def set_new_per_day(session: AsyncSession, account_id: str, new_per_day: int) -> None:
    setting = await session.get(CardSetting, account_id)
    if setting is None:
        session.add(CardSetting(account_id=account_id, new_per_day=new_per_day))
        await _flush(session)
    else:
        setting.new_per_day = new_per_day


@on_guest_merge
async def merge_cards(session: AsyncSession, guest_id: str, account_id: str) -> None:
    """Prepare to move a guest's cards to an account. If guest and account have a row for the same card, the guest's row is
    deleted. The same applies to their settings. All grades are kept.
    """
    own = select(CardState.card).where(CardState.account_id == account_id)
    await session.execute(delete(CardState).where(CardState.account_id == guest_id, CardState.card.in_(own)))
    if await session.get(CardSetting, account_id):
        await session.execute(delete(CardSetting).where(CardSetting.account_id == guest_id))


def suspended_of(account_id: str, after: str) -> Select[CardState]:
    """Return a query for an account's suspended cards, ordered by ID."""
    query = select(CardState).where(CardState.account_id == account_id, CardState.suspended).order_by(CardState.card)
    return query.where(CardState.card > after) if after else query


def _rows(account_id: str, cards: list[str]) -> Select[CardState]:
    return select(CardState).where(CardState.account_id == account_id, CardState.card.in_(cards))


def _row(session: AsyncSession, account_id: str, card: str) -> CardState:
    moment = now()
    row = CardState(account_id=account_id, card=card, version=0, suspended=False, state=1, due=moment, added_at=moment)
    row.step = row.stability = row.difficulty = row.last_review = row.learnt_at = None
    session.add(row)
    return row


async def _sent_before(session: AsyncSession, account_id: str, given: NewReview) -> CardReview:
    own = select(CardReview).where(CardReview.account_id == account_id, CardReview.card == given.card)
    last = await session.scalar(own.order_by(CardReview.id.desc()).limit(1))
    if last and (last.version, last.rating) == (given.version + 1, RATINGS[given.rating].value):
        return last
    raise CardChanged("This card was graded in the meantime, or its grade was undone. Load the cards again.")


async def _flush(session: AsyncSession) -> None:
    try:
        await session.flush()
    except IntegrityError:
        raise CardChanged(
            "This card was changed at the same moment by another request. Load the cards again."
        ) from None


async def _require_below_limit(session: AsyncSession, account_id: str) -> None:
    day = timedelta(days=1)
    recent = select(CardReview.reviewed_at).where(
        CardReview.account_id == account_id, CardReview.reviewed_at > now() - day
    )
    blocking = await session.scalar(recent.order_by(CardReview.id.desc()).offset(REVIEWS_A_DAY - 1).limit(1))
    if blocking is not None:
        wait = (blocking + day - now()).total_seconds()
        raise TooManyRequests(f"You can grade {REVIEWS_A_DAY} cards a day. Continue tomorrow.", retry_after_s=wait)
