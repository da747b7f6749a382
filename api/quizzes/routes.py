"""Answering quizzes: begin an attempt, answer question by question, look back."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from api.accounts.identity import Caller
from api.bodies import JsonRoute
from api.catalogue.service import Catalogue, TopicNotFound
from api.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.ids import Id
from api.interviews.closing import AskedInInterview, asked_of
from api.pagination import decode_cursor, encode_cursor
from api.quizzes import service
from api.quizzes.schemas import AttemptPage, AttemptView, MarkView, NewAnswer, attempt_card, attempt_view
from api.state import StateOf
from api.text import CleanText
from api.topics.routes import TopicId
from grader.quiz import Quiz

router = APIRouter(tags=["quizzes"], route_class=JsonRoute)
BEGIN = errors(CrossSite, NotSignedIn, TopicNotFound, service.NoQuiz, AskedInInterview, TooManyRequests)
READ = errors(NotSignedIn, service.AttemptNotFound, AskedInInterview)
ANSWER = errors(
    CrossSite,
    NotSignedIn,
    service.AttemptNotFound,
    AskedInInterview,
    service.QuestionNotFound,
    service.AlreadyAnswered,
    service.QuizChanged,
    service.BadAnswer,
)


@router.post(
    "/topics/{topic_id}/attempts",
    status_code=201,
    response_model=AttemptView,
    responses={**BEGIN, 200: {"model": AttemptView, "description": "There is an open attempt: it goes on."}},
)
async def begin_attempt(topic_id: TopicId, caller: Caller, state: StateOf, response: Response) -> AttemptView:
    """Begin a topic's quiz, or go on with the attempt that is open. Each attempt has an order of its own."""
    quiz = service.quiz_of(state.shelf.catalogue, topic_id)
    async with state.db.write() as session:
        (await asked_of(session, caller.account.id)).refuse_quiz(topic_id)
        attempt, new = await service.begin(session, caller.account.id, topic_id, quiz)
        _, answers = await service.find(session, attempt.id, caller)
    if not new:
        response.status_code = status.HTTP_200_OK
    response.headers["Location"] = f"/api/attempts/{attempt.id}"
    return attempt_view(attempt, answers, quiz)


@router.get("/attempts", response_model=AttemptPage, responses=errors(NotSignedIn, BadCursor))
async def list_attempts(
    caller: Caller,
    state: StateOf,
    topic: Annotated[str, Query(max_length=100), CleanText] = "",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AttemptPage:
    """Your quiz attempts, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with state.db.read() as session:
        query = service.listing(caller.account.id, topic, before).limit(limit + 1)
        rows = (await session.scalars(query)).all()
    items = [attempt_card(row) for row in rows[:limit]]
    return AttemptPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/attempts/{attempt_id}", response_model=AttemptView, responses=READ)
async def get_attempt(attempt_id: Id, caller: Caller, state: StateOf) -> AttemptView:
    """An attempt with its questions, and the marks of those that are answered."""
    async with state.db.read() as session:
        attempt, answers = await service.find(session, attempt_id, caller)
        (await asked_of(session, caller.account.id)).refuse_quiz(attempt.topic)
    return attempt_view(attempt, answers, _quiz(state.shelf.catalogue, attempt.topic))


@router.post("/attempts/{attempt_id}/answers", status_code=201, response_model=MarkView, responses=ANSWER)
async def answer_question(attempt_id: Id, body: NewAnswer, caller: Caller, state: StateOf) -> MarkView:
    """Answer a question. What comes back says whether it is right, why, and what the key is; it counts once."""
    async with state.db.write() as session:
        attempt, _ = await service.find(session, attempt_id, caller)
        if attempt.account_id != caller.account.id:
            raise service.AttemptNotFound("Only the one who began an attempt can answer in it.")
        (await asked_of(session, caller.account.id)).refuse_attempt(attempt.topic, attempt_id)
        quiz = _quiz(state.shelf.catalogue, attempt.topic)
        if quiz is None or quiz.digest != attempt.digest:
            raise service.QuizChanged("The quiz has been changed since you began. Begin another attempt.")
        mark = service.marked(quiz, body.question, body.answer)
        return await service.store(session, attempt, quiz, body.question, mark)


def _quiz(catalogue: Catalogue, topic: str) -> Quiz | None:
    found = catalogue.topics.get(topic)
    return found.quiz if found else None
