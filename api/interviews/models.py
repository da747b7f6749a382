"""Tables: interview and interview_item. Answers are where they always are (quiz_answer, submission); an interview refers to them:
an answer to its attempt, a submission for its slug, sent between start and end.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import SECRET, Moment, Table


class Interview(Table):
    """One interview. It ends at `ended_at`, or by itself at `deadline`. `sections` is a JSON list."""

    __tablename__ = "interview"
    __table_args__ = (Index(None, "account_id", "id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    level: Mapped[str] = mapped_column(String(8))
    minutes: Mapped[int]
    sections: Mapped[str] = mapped_column(Text)
    track: Mapped[str] = mapped_column(String(100))
    seed: Mapped[int] = mapped_column(BigInteger, info=SECRET)
    started_at: Mapped[datetime] = mapped_column(Moment)
    deadline: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)

    @property
    def end(self) -> datetime:
        """What is received later does not count."""
        return self.ended_at or self.deadline


class InterviewItem(Table):
    """A question (`name` is its id, with topic and attempt) or a challenge (`name` is its slug); `minutes` is its weight."""

    __tablename__ = "interview_item"

    interview_id: Mapped[str] = mapped_column(ForeignKey("interview.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(100))
    topic: Mapped[str] = mapped_column(String(100))
    attempt_id: Mapped[str | None] = mapped_column(ForeignKey("quiz_attempt.id", ondelete="SET NULL"))
    minutes: Mapped[int]
