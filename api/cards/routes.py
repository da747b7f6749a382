"""Revising: what is due, grading it, taking the last grade back, setting cards aside, adding a topic's cards."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from api.accounts.identity import Caller
from api.bodies import JsonRoute
from api.cards import service
from api.cards.deck import Card, deck_of
from api.cards.models import CardState
from api.cards.plan import Day, plan
from api.cards.scheduling import in_review, intervals
from api.cards.schemas import (
    CardSettings,
    CardView,
    Intervals,
    NewReview,
    ReviewView,
    RevisionView,
    SuspendedCard,
    SuspendedPage,
    Suspension,
    TopicCards,
    WantedDeck,
)
from api.catalogue.service import Catalogue, TopicNotFound, TrackNotFound
from api.db import now
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.interviews.closing import asked_of
from api.pagination import decode_cursor, encode_cursor
from api.state import StateOf
from api.text import CleanText
from api.topics.routes import TopicId

router = APIRouter(tags=["cards"], route_class=JsonRoute)
AT_ONCE = 3


@router.get("/cards", response_model=RevisionView, responses=errors(NotSignedIn, TrackNotFound))
async def get_revision(wanted: Annotated[WantedDeck, Query()], caller: Caller, state: StateOf) -> RevisionView:
    """What a deck asks of you today: the next cards with both sides, counts, and what the next days bring.

    Cards of questions that a running mock interview of yours asks wait until it has ended.
    """
    catalogue, day = state.shelf.catalogue, Day.of(now(), wanted.offset)
    async with state.db.read() as session:
        who = await service.learner(session, caller.account.id, day)
        asked = (await asked_of(session, caller.account.id)).questions
    cards = [card for card in service.deck(catalogue, wanted, who) if (card.topic, card.question) not in asked]
    found = plan(cards, who.rows, who.new_left(day), day, ahead=wanted.ahead)
    return RevisionView(
        cards=[_view(card, who.rows.get(card.id), catalogue, day) for card in found.queue[:AT_ONCE]],
        due=found.due,
        new=found.new,
        waiting=found.waiting,
        done=who.done,
        learnt=found.learnt,
        unlearnt=found.unlearnt,
        suspended=sum(row.suspended for row in who.rows.values()),
        next_due_at=found.next_due_at,
        forecast=list(found.forecast),
        new_per_day=who.new_per_day,
        undo=who.last.id if who.last else None,
    )


@router.post(
    "/cards/reviews",
    status_code=201,
    response_model=ReviewView,
    responses=errors(CrossSite, NotSignedIn, service.CardNotFound, service.CardChanged, TooManyRequests),
)
async def review_card(body: NewReview, caller: Caller, state: StateOf) -> ReviewView:
    """Grade a card. The same grade of the same version sent again changes nothing and gets the same answer."""
    own = caller.account.id
    async with state.db.write() as session:
        await service.find(session, own, state.shelf.catalogue, body.card)
        made = await service.review(session, own, body)
        row = await session.get_one(CardState, (own, made.card))
        return ReviewView(id=made.id, card=made.card, version=made.version, due=row.due)


@router.delete(
    "/cards/reviews/{review_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, service.ReviewNotFound, service.CannotUndo),
)
async def undo_review(review_id: Id, caller: Caller, state: StateOf) -> Response:
    """Take your last grade back: the card is as it was before."""
    async with state.db.write() as session:
        await service.undo(session, caller.account.id, review_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.get("/cards/suspended", response_model=SuspendedPage, responses=errors(NotSignedIn, BadCursor))
async def list_suspended_cards(
    caller: Caller,
    state: StateOf,
    cursor: Annotated[str, Query(max_length=600), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> SuspendedPage:
    """Cards that you set aside. Those whose topic is not in the catalogue at present are left out."""
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    catalogue = state.shelf.catalogue
    async with state.db.read() as session:
        rows = (await session.scalars(service.suspended_of(caller.account.id, after).limit(limit + 1))).all()
    cards = (deck_of(catalogue).by_id.get(row.card) for row in rows[:limit])
    items = [
        SuspendedCard(id=card.id, topic=card.topic, topic_title=_title(card, catalogue), front=card.front)
        for card in cards
        if card
    ]
    return SuspendedPage(items=items, next_cursor=encode_cursor(rows[limit - 1].card) if len(rows) > limit else None)


@router.put(
    "/cards/suspended",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, service.CardNotFound, service.CardChanged),
)
async def suspend_card(body: Suspension, caller: Caller, state: StateOf) -> Response:
    """Set a card aside: it is not asked until you bring it back."""
    async with state.db.write() as session:
        await service.find(session, caller.account.id, state.shelf.catalogue, body.card)
        await service.suspend(session, caller.account.id, body.card, suspended=body.suspended)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.put(
    "/cards/settings",
    response_model=CardSettings,
    responses=errors(CrossSite, NotSignedIn, service.CardChanged),
)
async def set_card_settings(body: CardSettings, caller: Caller, state: StateOf) -> CardSettings:
    """Say how many new cards a day you want."""
    async with state.db.write() as session:
        await service.set_new_per_day(session, caller.account.id, body.new_per_day)
    return body


@router.get("/cards/topics/{topic_id}", response_model=TopicCards, responses=errors(NotSignedIn, TopicNotFound))
async def get_topic_cards(topic_id: TopicId, caller: Caller, state: StateOf) -> TopicCards:
    """How many cards a topic has, and how many of them are among yours."""
    catalogue = state.shelf.catalogue
    topic = catalogue.topic(topic_id)
    async with state.db.read() as session:
        who = await service.learner(session, caller.account.id, Day.of(now(), 0))
    cards = who.shown(deck_of(catalogue), [topic.id])
    return TopicCards(cards=len(cards), mine=sum(_is_mine(who.rows.get(card.id)) for card in cards))


@router.put(
    "/cards/topics/{topic_id}",
    response_model=TopicCards,
    responses=errors(CrossSite, NotSignedIn, TopicNotFound, service.CardChanged),
)
async def add_topic_cards(topic_id: TopicId, caller: Caller, state: StateOf) -> TopicCards:
    """Put a topic's cards among yours: they are the next new ones. Doing it twice changes nothing."""
    catalogue = state.shelf.catalogue
    topic = catalogue.topic(topic_id)
    async with state.db.write() as session:
        who = await service.learner(session, caller.account.id, Day.of(now(), 0))
        cards = who.shown(deck_of(catalogue), [topic.id])
        await service.add(session, caller.account.id, cards)
    return TopicCards(cards=len(cards), mine=len(cards))


def _view(card: Card, row: CardState | None, catalogue: Catalogue, day: Day) -> CardView:
    learnt = row is not None and row.learnt_at is not None
    return CardView(
        id=card.id,
        topic=card.topic,
        topic_title=_title(card, catalogue),
        section=catalogue.topics[card.topic].info.section,
        kind=card.kind,
        front=card.front,
        back=card.back,
        version=row.version if row else 0,
        stage="new" if row is None or not learnt else "review" if in_review(row) else "learning",
        intervals=Intervals.model_validate(intervals(row, day.now)),
    )


def _title(card: Card, catalogue: Catalogue) -> str:
    return catalogue.topics[card.topic].info.title


def _is_mine(row: CardState | None) -> bool:
    return row is not None and not row.suspended
