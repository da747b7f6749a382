"""Routes to begin, read and finish mock interviews."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy import select

from api.content.catalogue.catalogue import TrackNotFound
from api.content.catalogue.service import CatalogueStore, CatalogueStoreDep
from api.content.embargo import Embargo, EmbargoDep, InYourAssessment, Item
from api.identity.sessions.current_account import Caller
from api.kit.db.database import Database, now
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.mock_interviews import service
from api.practice.mock_interviews.draw import draw
from api.practice.mock_interviews.results import results_of
from api.practice.mock_interviews.schemas import (
    InterviewPage,
    InterviewView,
    NewInterview,
    interview_card,
    interview_view,
)
from api.practice.running_interviews.models import Interview, InterviewItem

router = APIRouter(tags=["interviews"], route_class=JsonRoute)
OWN = errors(NotSignedIn, service.InterviewNotFound, InYourAssessment)


@router.post(
    "/interviews",
    status_code=201,
    response_model=InterviewView,
    responses=errors(
        CrossSite, NotSignedIn, TrackNotFound, service.InterviewRunning, service.NothingToAsk, TooManyRequests
    ),
)
async def begin_interview(
    body: NewInterview,
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    response: Response,
    embargo: EmbargoDep,
) -> InterviewView:
    """Begin a mock interview: questions and challenges are drawn at random, and its time starts now, by the server's clock.

    Items of your running assessment are not drawn.
    """
    own, catalogue = caller.account.id, store.catalogue
    seed = secrets.randbelow(2**31) if body.draw is None else body.draw
    excluded = await embargo.closed_items()
    async with db.read() as session:
        items = draw(catalogue, body.preferences, await service.practice_history(session, own), seed, excluded)
    async with db.write() as session:
        made = await service.begin(session, own, body.preferences, seed, items, catalogue)
    response.headers["Location"] = f"/api/interviews/{made.id}"
    return await _view(db, store, made)


@router.get("/interviews", response_model=InterviewPage, responses=errors(NotSignedIn, BadCursor))
async def list_interviews(
    caller: Caller,
    db: DatabaseDep,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 10,
) -> InterviewPage:
    """Your interviews, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        rows = (await session.scalars(service.listing(caller.account.id, before).limit(limit + 1))).all()
        results = await results_of(session, rows[:limit])
    moment = now()
    items = [interview_card(row, results[row.id], moment) for row in rows[:limit]]
    return InterviewPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/interviews/{interview_id}", response_model=InterviewView, responses=OWN)
async def get_interview(
    interview_id: Id, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> InterviewView:
    """An interview with its items and results. After the interview has ended, also the topics that you should revise."""
    async with db.read() as session:
        found = await service.find(session, interview_id, caller.account.id)
    await _refuse_closed_items(db, found, embargo)
    return await _view(db, store, found)


@router.post(
    "/interviews/{interview_id}/finish",
    response_model=InterviewView,
    responses=errors(CrossSite, NotSignedIn, service.InterviewNotFound, InYourAssessment),
)
async def finish_interview(
    interview_id: Id, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> InterviewView:
    """End an interview early. Finishing it again changes nothing."""
    async with db.read() as session:
        running = await service.find(session, interview_id, caller.account.id)
    await _refuse_closed_items(db, running, embargo)
    async with db.write() as session:
        found = await service.find(session, interview_id, caller.account.id)
        service.finish(found)
    return await _view(db, store, found)


async def _refuse_closed_items(db: Database, interview: Interview, embargo: Embargo) -> None:
    """Raise `InYourAssessment` if the caller's running assessment contains an item of the interview, because the response
    shows results and right answers.
    """
    async with db.read() as session:
        items = await session.scalars(select(InterviewItem).where(InterviewItem.interview_id == interview.id))
        wanted: set[Item] = {
            ("challenge", each.name) if each.kind == "challenge" else ("quiz", each.topic) for each in items
        }
    await embargo.refuse(wanted, "mock interview")


async def _view(db: Database, store: CatalogueStore, interview: Interview) -> InterviewView:
    async with db.read() as session:
        results = await results_of(session, [interview])
    return interview_view(interview, results[interview.id], store.catalogue, now())
