"""What a running interview closes to its taker: hints, editorial and others' answers of its challenges; quizzes of its topics."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import now
from api.errors import ApiError
from api.interviews.models import Interview, InterviewItem


class AskedInInterview(ApiError):
    """The caller's running interview asks about this."""

    status, code = 403, "asked_in_interview"

    def __init__(self) -> None:
        super().__init__("Your mock interview asks about this. It opens when the interview has ended.")


@dataclass(frozen=True)
class Asked:
    """What an account is being asked about; empty while no interview of its own runs."""

    items: tuple[InterviewItem, ...] = ()

    @property
    def questions(self) -> set[tuple[str, str]]:
        """Questions as (topic, id)."""
        return {(item.topic, item.name) for item in self.items if item.kind == "question"}

    def interview(self, slug: str) -> str | None:
        """The interview that asks for this challenge."""
        named = (item.interview_id for item in self.items if (item.kind, item.name) == ("challenge", slug))
        return next(named, None)

    def refuse_challenge(self, slug: str) -> None:
        """Pass unless the challenge is asked for. Raises `AskedInInterview`."""
        if self.interview(slug):
            raise AskedInInterview

    def refuse_quiz(self, topic: str) -> None:
        """Pass unless a question of the topic is asked. Raises `AskedInInterview`."""
        if any(item.topic == topic for item in self.items):
            raise AskedInInterview

    def refuse_attempt(self, topic: str, attempt_id: str) -> None:
        """Pass unless a question of the topic is asked in another attempt. Raises `AskedInInterview`."""
        if not any(item.attempt_id == attempt_id for item in self.items):
            self.refuse_quiz(topic)


async def asked_of(session: AsyncSession, account_id: str) -> Asked:
    """What an account is being asked about just now."""
    running = (Interview.account_id == account_id, Interview.ended_at.is_(None), Interview.deadline > now())
    query = select(InterviewItem).join(Interview, Interview.id == InterviewItem.interview_id).where(*running)
    return Asked(tuple(await session.scalars(query)))
