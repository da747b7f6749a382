"""Routes for revision: list what is due, grade a card, undo the last grade, suspend cards, and add the cards of a topic."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from api.content.catalogue.catalogue import Catalogue, TopicNotFound, TrackNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import EmbargoDep
from api.content.topics.routes import TopicId
from api.identity.sessions.current_account import Caller
from api.kit.db.database import now
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.cards import service
from api.practice.cards.deck import Card, deck_of
from api.practice.cards.models import CardState
from api.practice.cards.plan import Day, plan
from api.practice.cards.scheduling import in_review, intervals
from api.practice.cards.schemas import (
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
from api.practice.running_interviews.restrictions import restrictions_of

router = APIRouter(tags=["cards"], route_class=JsonRoute)
AT_ONCE = 3


@router.get("/cards", response_model=RevisionView, responses=errors(NotSignedIn, TrackNotFound))
async def get_revision(
    wanted: Annotated[WantedDeck, Query()],
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    embargo: EmbargoDep,
) -> RevisionView:
    """Your plan for today in a deck: the next cards with both sides, how many cards are left, and a forecast for the next days.

    Cards of questions in your running mock interview or assessment are left out until it has ended.
    """
    catalogue, day = store.catalogue, Day.of(now(), wanted.offset)
    async with db.read() as session:
        who = await service.learner(session, caller.account.id, day)
        interview_questions = (await restrictions_of(session, caller.account.id)).questions
    closed_items = await embargo.closed_items()
    cards = [
        card
        for card in service.deck(catalogue, wanted, who)
        if (card.topic, card.question) not in interview_questions
        and not (card.question and ("quiz", card.topic) in closed_items)
    ]
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
async def review_card(body: NewReview, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> ReviewView:
    """Grade a card. If you send the same grade for the same version again, nothing changes, and the response is the same."""
    own = caller.account.id
    async with db.write() as session:
        await service.find(session, own, store.catalogue, body.card)
        made = await service.review(session, own, body)
        row = await session.get_one(CardState, (own, made.card))
        return ReviewView(id=made.id, card=made.card, version=made.version, due=row.due)


@router.delete(
    "/cards/reviews/{review_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=errors(CrossSite, NotSignedIn, service.ReviewNotFound, service.CannotUndo),
)
async def undo_review(review_id: Id, caller: Caller, db: DatabaseDep) -> Response:
    """Undo your last grade and restore the card's earlier schedule."""
    async with db.write() as session:
        await service.undo(session, caller.account.id, review_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.get("/cards/suspended", response_model=SuspendedPage, responses=errors(NotSignedIn, BadCursor))
async def list_suspended_cards(
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    cursor: Annotated[str, Query(max_length=600), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> SuspendedPage:
    """Cards that you suspended. Cards whose topic is not in the catalogue at present are left out."""
    after = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    catalogue = store.catalogue
    async with db.read() as session:
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
async def suspend_card(body: Suspension, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> Response:
    """Suspend a card, or resume it. A suspended card is not shown for revision."""
    async with db.write() as session:
        await service.find(session, caller.account.id, store.catalogue, body.card)
        await service.suspend(session, caller.account.id, body.card, suspended=body.suspended)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.put(
    "/cards/settings",
    response_model=CardSettings,
    responses=errors(CrossSite, NotSignedIn, service.CardChanged),
)
async def set_card_settings(body: CardSettings, caller: Caller, db: DatabaseDep) -> CardSettings:
    """Set how many new cards you want per day."""
    async with db.write() as session:
        await service.set_new_per_day(session, caller.account.id, body.new_per_day)
    return body


@router.get("/cards/topics/{topic_id}", response_model=TopicCards, responses=errors(NotSignedIn, TopicNotFound))
async def get_topic_cards(topic_id: TopicId, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> TopicCards:
    """How many cards of a topic you can see, and how many of them are in your deck."""
    catalogue = store.catalogue
    topic = catalogue.topic(topic_id)
    async with db.read() as session:
        who = await service.learner(session, caller.account.id, Day.of(now(), 0))
    cards = who.shown(deck_of(catalogue), [topic.id])
    return TopicCards(cards=len(cards), mine=sum(_is_mine(who.rows.get(card.id)) for card in cards))


@router.put(
    "/cards/topics/{topic_id}",
    response_model=TopicCards,
    responses=errors(CrossSite, NotSignedIn, TopicNotFound, service.CardChanged),
)
async def add_topic_cards(topic_id: TopicId, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep) -> TopicCards:
    """Add a topic's cards to your deck. They are shown before all other new cards. Adding them again changes nothing."""
    catalogue = store.catalogue
    topic = catalogue.topic(topic_id)
    async with db.write() as session:
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
