"""Tables: interview and interview_item.

Answers that are given in an interview are stored in the tables quiz_answer and submission, like all others. A quiz answer
belongs to an interview if it was given in one of the interview's quiz attempts. A submission belongs to it if it was sent for
one of its challenges between the interview's start and end.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table


class Interview(Table):
    """A mock interview. It ends at `deadline`, unless the account ends it early, at `ended_at`. `sections` is a JSON list of
    the chosen sections.
    """

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
        """The last moment at which an answer or submission counts."""
        return self.ended_at or self.deadline


class InterviewItem(Table):
    """An item of an interview. For a question, `name` is its ID, `topic` its topic, and `attempt_id` the quiz attempt in which
    it is answered. For a challenge, `name` is its slug. `minutes` is the planned time, and the item's weight in the result.
    """

    __tablename__ = "interview_item"

    interview_id: Mapped[str] = mapped_column(ForeignKey("interview.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(100))
    topic: Mapped[str] = mapped_column(String(100))
    attempt_id: Mapped[str | None] = mapped_column(ForeignKey("quiz_attempt.id", ondelete="SET NULL"))
    minutes: Mapped[int]
