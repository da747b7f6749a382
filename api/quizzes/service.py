"""Rules of quizzes: beginning an attempt, marking an answer once, ending when all is answered."""

import json
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, false, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from api.accounts import candidates
from api.accounts.credentials import Identity
from api.catalogue.service import Catalogue
from api.db import hold, now
from api.errors import ApiError, TooManyRequests
from api.ids import new_id
from api.quizzes.models import QuizAnswer, QuizAttempt
from api.quizzes.schemas import MarkView
from grader.marking import Unreadable, mark
from grader.quiz import Quiz

ATTEMPTS_AN_HOUR = 60


class NoQuiz(ApiError):
    """The topic has no questions."""

    status, code = 404, "no_quiz"


class AttemptNotFound(ApiError):
    """No such attempt, or it is somebody else's."""

    status, code = 404, "attempt_not_found"


class QuestionNotFound(ApiError):
    """The quiz has no such question."""

    status, code = 404, "question_not_found"


class AlreadyAnswered(ApiError):
    """One answer per question per attempt."""

    status, code = 409, "already_answered"


class QuizChanged(ApiError):
    """The questions are others now than when the attempt was begun."""

    status, code = 409, "quiz_changed"


class BadAnswer(ApiError):
    """The answer has another form than the question asks for."""

    status, code = 422, "bad_answer"


def quiz_of(catalogue: Catalogue, topic: str) -> Quiz:
    """The quiz of a topic. Raises `TopicNotFound`, `NoQuiz`."""
    quiz = catalogue.topic(topic).quiz
    if quiz is None:
        raise NoQuiz("This topic has no quiz; its challenges are all there is to do.")
    return quiz


async def begin(session: AsyncSession, account_id: str, topic: str, quiz: Quiz) -> tuple[QuizAttempt, bool]:
    """The account's open attempt at these questions, or a new one, and whether it is new. Raises `TooManyRequests`."""
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
    return await begin_anew(session, account_id, topic, quiz), True


async def begin_anew(session: AsyncSession, account_id: str, topic: str, quiz: Quiz) -> QuizAttempt:
    """Another attempt, whatever is open. Raises `TooManyRequests`."""
    await _not_too_many(session, account_id)
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
    """An attempt of the caller's (of anybody's but candidates', for an admin) with its answers. Raises `AttemptNotFound`."""
    of_others = ~candidates.owns(QuizAttempt.account_id) if caller.is_admin else false()
    may_read = (QuizAttempt.account_id == caller.account.id) | of_others
    attempt = await session.scalar(select(QuizAttempt).where(QuizAttempt.id == attempt_id, may_read))
    if attempt is None:
        raise AttemptNotFound("You have no quiz attempt with this id.")
    answers = await session.scalars(select(QuizAnswer).where(QuizAnswer.attempt_id == attempt_id))
    return attempt, list(answers)


def listing(account_id: str, topic: str, before: str) -> Select[QuizAttempt]:
    """An account's attempts, newest first."""
    query = select(QuizAttempt).where(QuizAttempt.account_id == account_id).order_by(QuizAttempt.id.desc())
    if topic:
        query = query.where(QuizAttempt.topic == topic)
    return query.where(QuizAttempt.id < before) if before else query


def marked(quiz: Quiz, question_id: str, answer: Any) -> MarkView:
    """What an answer comes to. Raises `QuestionNotFound`, `BadAnswer`."""
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
    """Whether the account's last answer was right, for each question (topic, id) that it ever answered."""
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
    """Write an answer down, once; the same one sent again gets the mark it got before.

    The attempt ends with its last answer. Raises `AlreadyAnswered` for another answer to an answered question.
    """
    # Two answers at the same moment: the second one counts on what the first one has made of the attempt.
    await session.refresh(attempt, with_for_update=True)
    earlier = await session.get(QuizAnswer, (attempt.id, question))
    if earlier is not None:
        if json.loads(earlier.answer) != mark.answer:
            raise AlreadyAnswered(
                "You have answered this question in this attempt. Begin another attempt to try again."
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
        raise AlreadyAnswered("This question was being answered at the same moment. Load the attempt again.") from None
    attempt.points += mark.points
    answered = select(func.count()).select_from(QuizAnswer).where(QuizAnswer.attempt_id == attempt.id)
    if await session.scalar(answered) == len(quiz.questions):
        attempt.ended_at = now()
    return mark


async def _not_too_many(session: AsyncSession, account_id: str) -> None:
    hour = timedelta(hours=1)
    recent = select(QuizAttempt.started_at).where(
        QuizAttempt.account_id == account_id, QuizAttempt.started_at > now() - hour
    )
    blocking = await session.scalar(recent.order_by(QuizAttempt.id.desc()).offset(ATTEMPTS_AN_HOUR - 1).limit(1))
    if blocking is not None:
        wait = (blocking + hour - now()).total_seconds()
        raise TooManyRequests(f"You may begin {ATTEMPTS_AN_HOUR} quiz attempts an hour.", retry_after_s=wait)
