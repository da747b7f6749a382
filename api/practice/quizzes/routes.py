"""Routes to begin a quiz attempt, answer its questions one by one, and read attempts."""

from typing import Annotated

from fastapi import APIRouter, Query, Response, status

from api.content.catalogue.catalogue import Catalogue, TopicNotFound
from api.content.catalogue.service import CatalogueStoreDep
from api.content.embargo import EmbargoDep, InYourAssessment
from api.content.topics.routes import TopicId
from api.identity.sessions.current_account import Caller
from api.kit.errors import BadCursor, CrossSite, NotSignedIn, TooManyRequests, errors
from api.kit.http.dependencies import DatabaseDep
from api.kit.http.json_body import JsonRoute
from api.kit.http.pagination import decode_cursor, encode_cursor
from api.kit.ids import Id
from api.kit.text import CleanText
from api.practice.quizzes import service
from api.practice.quizzes.schemas import AttemptPage, AttemptView, MarkView, NewAnswer, attempt_card, attempt_view
from api.practice.running_interviews.restrictions import AskedInInterview, restrictions_of
from grader.content.quizzes.quiz import Quiz

router = APIRouter(tags=["quizzes"], route_class=JsonRoute)
BEGIN = errors(
    CrossSite, NotSignedIn, TopicNotFound, service.NoQuiz, AskedInInterview, InYourAssessment, TooManyRequests
)
READ = errors(NotSignedIn, service.AttemptNotFound, AskedInInterview, InYourAssessment)
ANSWER = errors(
    CrossSite,
    NotSignedIn,
    service.AttemptNotFound,
    AskedInInterview,
    InYourAssessment,
    service.QuestionNotFound,
    service.AlreadyAnswered,
    service.QuizChanged,
    service.BadAnswer,
)


@router.post(
    "/topics/{topic_id}/attempts",
    status_code=201,
    response_model=AttemptView,
    responses={**BEGIN, 200: {"model": AttemptView, "description": "There is an open attempt, which continues."}},
)
async def begin_attempt(
    topic_id: TopicId,
    caller: Caller,
    db: DatabaseDep,
    store: CatalogueStoreDep,
    response: Response,
    embargo: EmbargoDep,
) -> AttemptView:
    """Begin a topic's quiz, or continue your unfinished attempt if there is one. Each attempt shows the options of its
    questions in a different order.
    """
    quiz = service.quiz_of(store.catalogue, topic_id)
    await embargo.refuse_quiz(topic_id)
    async with db.write() as session:
        (await restrictions_of(session, caller.account.id)).refuse_quiz(topic_id)
        attempt, new = await service.begin(session, caller.account.id, topic_id, quiz)
        _, answers = await service.find(session, attempt.id, caller)
    if not new:
        response.status_code = status.HTTP_200_OK
    response.headers["Location"] = f"/api/attempts/{attempt.id}"
    return attempt_view(attempt, answers, quiz)


@router.get("/attempts", response_model=AttemptPage, responses=errors(NotSignedIn, BadCursor))
async def list_attempts(
    caller: Caller,
    db: DatabaseDep,
    topic: Annotated[str, Query(max_length=100), CleanText] = "",
    cursor: Annotated[str, Query(max_length=200), CleanText] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
) -> AttemptPage:
    """Your quiz attempts, newest first."""
    before = str(decode_cursor(cursor, (str,))[0]) if cursor else ""
    async with db.read() as session:
        query = service.listing(caller.account.id, topic, before).limit(limit + 1)
        rows = (await session.scalars(query)).all()
    items = [attempt_card(row) for row in rows[:limit]]
    return AttemptPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


@router.get("/attempts/{attempt_id}", response_model=AttemptView, responses=READ)
async def get_attempt(
    attempt_id: Id, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> AttemptView:
    """An attempt with its questions, and the marks of those that were answered."""
    async with db.read() as session:
        attempt, answers = await service.find(session, attempt_id, caller)
        (await restrictions_of(session, caller.account.id)).refuse_quiz(attempt.topic)
    await embargo.refuse_quiz(attempt.topic)
    return attempt_view(attempt, answers, _quiz(store.catalogue, attempt.topic))


@router.post("/attempts/{attempt_id}/answers", status_code=201, response_model=MarkView, responses=ANSWER)
async def answer_question(
    attempt_id: Id, body: NewAnswer, caller: Caller, db: DatabaseDep, store: CatalogueStoreDep, embargo: EmbargoDep
) -> MarkView:
    """Answer a question. The response contains the mark, the explanation and the right answer. Each question can be answered
    once per attempt.
    """
    async with db.read() as session:
        asked, _ = await service.find(session, attempt_id, caller)
    await embargo.refuse_quiz(asked.topic)
    async with db.write() as session:
        attempt, _ = await service.find(session, attempt_id, caller)
        if attempt.account_id != caller.account.id:
            raise service.AttemptNotFound("Only the account that began an attempt can answer in it.")
        (await restrictions_of(session, caller.account.id)).refuse_attempt(attempt.topic, attempt_id)
        quiz = _quiz(store.catalogue, attempt.topic)
        if quiz is None or quiz.digest != attempt.digest:
            raise service.QuizChanged("The quiz has changed since you started. Start another attempt.")
        mark = service.marked(quiz, body.question, body.answer)
        return await service.store(session, attempt, quiz, body.question, mark)


def _quiz(catalogue: Catalogue, topic: str) -> Quiz | None:
    found = catalogue.topics.get(topic)
    return found.quiz if found else None
