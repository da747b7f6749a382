"""Begins attempts and stores answers. Each answer is marked once, and an attempt ends when all its questions are answered."""

import json
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, false, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.catalogue.catalogue import Catalogue
from api.identity.accounts import candidates
from api.identity.sessions.credentials import Identity
from api.kit.db.database import hold, now
from api.kit.errors import ApiError, TooManyRequests
from api.kit.ids import new_id
from api.practice.quizzes.models import QuizAnswer, QuizAttempt
from api.practice.quizzes.schemas import MarkView
from grader.content.quizzes.marking import Unreadable, mark
from grader.content.quizzes.quiz import Quiz

ATTEMPTS_AN_HOUR = 60


class NoQuiz(ApiError):
    """The topic has no questions."""

    status, code = 404, "no_quiz"


class AttemptNotFound(ApiError):
    """The attempt does not exist, or it belongs to another account."""

    status, code = 404, "attempt_not_found"


class QuestionNotFound(ApiError):
    """The quiz has no such question."""

    status, code = 404, "question_not_found"


class AlreadyAnswered(ApiError):
    """The question was answered already in this attempt."""

    status, code = 409, "already_answered"


class QuizChanged(ApiError):
    """The questions have changed since the attempt began."""

    status, code = 409, "quiz_changed"


class BadAnswer(ApiError):
    """The answer does not have the form that the question asks for."""

    status, code = 422, "bad_answer"


def quiz_of(catalogue: Catalogue, topic: str) -> Quiz:
    """Return the quiz of a topic. Raises `TopicNotFound`, `NoQuiz`."""
    quiz = catalogue.topic(topic).quiz
    if quiz is None:
        raise NoQuiz("This topic has no quiz. Practise its challenges instead.")
    return quiz


async def begin(session: AsyncSession, account_id: str, topic: str, quiz: Quiz) -> tuple[QuizAttempt, bool]:
    """Return the account's unfinished attempt at this version of the quiz or, if there is none, a new attempt. Also return
    whether the attempt is new. Raises `TooManyRequests`.
    """
    opened = select(QuizAttempt).where(
        QuizAttempt.account_id == account_id,
        QuizAttempt.topic == topic,
        QuizAttempt.digest == quiz.digest,
        QuizAttempt.ended_at.is_(None),
    )
    await hold(session, f"quizzes {account_id}")
    found = await session.scalar(opened.order_by(QuizAttempt.id.desc()).limit(1))
    if found is not None:
        return found, False
    return await create_attempt(session, account_id, topic, quiz), True


async def create_attempt(session: AsyncSession, account_id: str, topic: str, quiz: Quiz) -> QuizAttempt:
    """Create a new attempt, even if the account has an unfinished one. Raises `TooManyRequests`."""
    await _require_below_limit(session, account_id)
    return await add_attempt(session, account_id, topic, quiz)


async def add_attempt(session: AsyncSession, account_id: str, topic: str, quiz: Quiz) -> QuizAttempt:
    """Create a new attempt without a limit, for callers that have one of their own."""
    attempt = QuizAttempt(
        id=new_id(),
        account_id=account_id,
        topic=topic,
        digest=quiz.digest,
        points=0,
        max_points=quiz.points,
        started_at=now(),
        ended_at=None,
    )
    session.add(attempt)
    await session.flush()
    return attempt


async def find(session: AsyncSession, attempt_id: str, caller: Identity) -> tuple[QuizAttempt, list[QuizAnswer]]:
    """Return an attempt with its answers. An admin can read attempts of all accounts except candidates. Raises
    `AttemptNotFound`.
    """
    of_others = ~candidates.owns(QuizAttempt.account_id) if caller.is_admin else false()
    may_read = (QuizAttempt.account_id == caller.account.id) | of_others
    attempt = await session.scalar(select(QuizAttempt).where(QuizAttempt.id == attempt_id, may_read))
    if attempt is None:
        raise AttemptNotFound("You have no quiz attempt with this ID.")
    answers = await session.scalars(select(QuizAnswer).where(QuizAnswer.attempt_id == attempt_id))
    return attempt, list(answers)


def listing(account_id: str, topic: str, before: str) -> Select[QuizAttempt]:
    """Return a query for an account's attempts, newest first."""
    query = select(QuizAttempt).where(QuizAttempt.account_id == account_id).order_by(QuizAttempt.id.desc())
    if topic:
        query = query.where(QuizAttempt.topic == topic)
    return query.where(QuizAttempt.id < before) if before else query


def marked(quiz: Quiz, question_id: str, answer: Any) -> MarkView:
    """Mark an answer. Raises `QuestionNotFound`, `BadAnswer`."""
    question = quiz.question(question_id)
    if question is None:
        raise QuestionNotFound(f"This quiz has no question {question_id[:60]!r}.")
    try:
        found = mark(quiz, question, answer)
    except Unreadable as error:
        raise BadAnswer(str(error)) from None
    return MarkView(
        right=found.right,
        points=found.points,
        reasons=list(found.reasons),
        key=found.key,
        explanation=question.explanation,
        answer=answer,
    )


LastMarks = dict[tuple[str, str], bool]


async def last_marks(session: AsyncSession, account_id: str) -> LastMarks:
    """Return, for each question that the account has answered, whether its last answer was right. The key is (topic, question
    ID).
    """
    own = select(QuizAttempt.topic, QuizAnswer.question, func.max(QuizAnswer.answered_at).label("at")).join_from(
        QuizAttempt, QuizAnswer, QuizAnswer.attempt_id == QuizAttempt.id
    )
    last = own.where(QuizAttempt.account_id == account_id).group_by(QuizAttempt.topic, QuizAnswer.question).subquery()
    marks = (
        select(last.c.topic, last.c.question, QuizAnswer.mark)
        .join(QuizAttempt, (QuizAttempt.account_id == account_id) & (QuizAttempt.topic == last.c.topic))
        .join(
            QuizAnswer,
            (QuizAnswer.attempt_id == QuizAttempt.id)
            & (QuizAnswer.question == last.c.question)
            & (QuizAnswer.answered_at == last.c.at),
        )
    )
    return {(topic, question): json.loads(mark)["right"] for topic, question, mark in await session.execute(marks)}


async def store(session: AsyncSession, attempt: QuizAttempt, quiz: Quiz, question: str, mark: MarkView) -> MarkView:
    """Store an answer and return its mark. If the question already has the same answer, return the stored mark; if it has a
    different answer, raise `AlreadyAnswered`. The attempt ends when its last question is answered.
    """
    # Lock the attempt, because two answers may arrive at the same moment: the second must add its points to those of the first.
    await session.refresh(attempt, with_for_update=True)
    earlier = await session.get(QuizAnswer, (attempt.id, question))
    if earlier is not None:
        if json.loads(earlier.answer) != mark.answer:
            raise AlreadyAnswered(
                "You have answered this question in this attempt. Start another attempt to try again."
            )
        return MarkView.model_validate(json.loads(earlier.mark))
    row = QuizAnswer(
        attempt_id=attempt.id,
        question=question,
        answer=json.dumps(mark.answer),
        mark=mark.model_dump_json(),
        answered_at=now(),
    )
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise AlreadyAnswered(
            "Another request answered this question at the same moment. Load the attempt again."
        ) from None
    attempt.points += mark.points
    answered = select(func.count()).select_from(QuizAnswer).where(QuizAnswer.attempt_id == attempt.id)
    if await session.scalar(answered) == len(quiz.questions):
        attempt.ended_at = now()
    return mark


async def _require_below_limit(session: AsyncSession, account_id: str) -> None:
    hour = timedelta(hours=1)
    recent = select(QuizAttempt.started_at).where(
        QuizAttempt.account_id == account_id, QuizAttempt.started_at > now() - hour
    )
    blocking = await session.scalar(recent.order_by(QuizAttempt.id.desc()).offset(ATTEMPTS_AN_HOUR - 1).limit(1))
    if blocking is not None:
        wait = (blocking + hour - now()).total_seconds()
        raise TooManyRequests(
            f"You can start {ATTEMPTS_AN_HOUR} quiz attempts an hour. Try again later.", retry_after_s=wait
        )
