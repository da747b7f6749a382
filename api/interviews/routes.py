"""Mock interviews: begin, look, finish."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.accounts.identity import Caller
from api.bodies import JsonRoute
from api.catalogue.service import TrackNotFound
from api.db import now
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.interviews import service
from api.interviews.draw import draw
from api.interviews.models import Interview
from api.interviews.results import results_of
from api.interviews.schemas import InterviewPage, InterviewView, NewInterview, interview_card, interview_view
from api.pagination import decode_cursor, encode_cursor
from api.state import State, StateOf
from api.text import CleanText

router = APIRouter(tags=["interviews"], route_class=JsonRoute)
OWN = errors(NotSignedIn, service.InterviewNotFound)


@router.post(
    "/interviews",
    status_code=201,
    response_model=InterviewView,
    responses=errors(
        CrossSite, NotSignedIn, TrackNotFound, service.InterviewRunning, service.NothingToAsk, TooManyRequests
    ),
)
async def begin_interview(body: NewInterview, caller: Caller, state: StateOf, response: Response) -> InterviewView:
    """Begin a mock interview: questions and challenges are drawn, and its time runs by this server's clock."""
    own, catalogue = caller.account.id, state.shelf.catalogue
    seed = secrets.randbelow(2**31) if body.draw is None else body.draw
    async with state.db.read() as session:
        items = draw(catalogue, body.wish, await service.past(session, own), seed)
    async with state.db.write() as session:
        made = await service.begin(session, own, body.wish, seed, items, catalogue)
    response.headers["Location"] = f"/api/interviews/{made.id}"
    return await _view(state, made)


@router.get("/interviews", response_model=InterviewPage, responses=errors(NotSignedIn, BadCursor))
async def list_interviews(
    caller: Caller,
    state: StateOf,
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=20)] = 10,
) -> InterviewPage:
    """Your interviews, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        rows = (await session.scalars(service.listing(caller.account.id, before).limit(limit + 1))).all()
        results = await results_of(session, rows[:limit])
    moment = now()
    items = [interview_card(row, results[row.id], moment) for row in rows[:limit]]
    return InterviewPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/interviews/{interview_id}", response_model=InterviewView, responses=OWN)
async def get_interview(interview_id: Id, caller: Caller, state: StateOf) -> InterviewView:
    """An interview with its items and their results; once it has ended, with what to revise."""
    async with state.db.read() as session:
        found = await service.find(session, interview_id, caller.account.id)
    return await _view(state, found)


@router.post(
    "/interviews/{interview_id}/finish",
    response_model=InterviewView,
    responses=errors(CrossSite, NotSignedIn, service.InterviewNotFound),
)
async def finish_interview(interview_id: Id, caller: Caller, state: StateOf) -> InterviewView:
    """End an interview before its time. Finishing twice is harmless."""
    async with state.db.write() as session:
        found = await service.find(session, interview_id, caller.account.id)
        service.finish(found)
    return await _view(state, found)


async def _view(state: State, interview: Interview) -> InterviewView:
    async with state.db.read() as session:
        results = await results_of(session, [interview])
    return interview_view(interview, results[interview.id], state.shelf.catalogue, now())
