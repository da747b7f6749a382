"""Determines what an account must not open while it takes a mock interview: the hints, the editorials and other users' answers
of the interview's challenges, and the quizzes of the topics of its questions.
"""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.kit.db.database import now
from api.kit.errors import ApiError
from api.practice.running_interviews.models import Interview, InterviewItem


class AskedInInterview(ApiError):
    """The caller's running mock interview contains this challenge or topic."""

    status, code = 403, "asked_in_interview"

    def __init__(self) -> None:
        super().__init__("Your mock interview includes this. It unlocks when the interview ends.")


@dataclass(frozen=True)
class InterviewRestrictions:
    """The items of an account's running interview. Empty if none is running."""

    items: tuple[InterviewItem, ...] = ()

    @property
    def questions(self) -> set[tuple[str, str]]:
        """The questions of the interview, as (topic, ID)."""
        return {(item.topic, item.name) for item in self.items if item.kind == "question"}

    def interview(self, slug: str) -> str | None:
        """Return the ID of the interview that contains this challenge, or None."""
        named = (item.interview_id for item in self.items if (item.kind, item.name) == ("challenge", slug))
        return next(named, None)

    def refuse_challenge(self, slug: str) -> None:
        """Raise `AskedInInterview` if the interview contains the challenge."""
        if self.interview(slug):
            raise AskedInInterview

    def refuse_quiz(self, topic: str) -> None:
        """Raise `AskedInInterview` if the interview contains a question of the topic."""
        if any(item.topic == topic for item in self.items):
            raise AskedInInterview

    def refuse_attempt(self, topic: str, attempt_id: str) -> None:
        """Raise `AskedInInterview` if the interview contains a question of the topic, unless the quiz attempt belongs to the
        interview itself.
        """
        if not any(item.attempt_id == attempt_id for item in self.items):
            self.refuse_quiz(topic)


async def restrictions_of(session: AsyncSession, account_id: str) -> InterviewRestrictions:
    running = (Interview.account_id == account_id, Interview.ended_at.is_(None), Interview.deadline > now())
    query = select(InterviewItem).join(Interview, Interview.id == InterviewItem.interview_id).where(*running)
    return InterviewRestrictions(tuple(await session.scalars(query)))
