"""Tables: quiz_attempt and quiz_answer. Each answered question of an attempt has a row in quiz_answer, which never changes."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class QuizAttempt(Table):
    """An account's attempt at a topic's quiz. `digest` identifies the version of the quiz with which it was started."""

    __tablename__ = "quiz_attempt"
    __table_args__ = (Index(None, "account_id", "id"), Index(None, "account_id", "topic", "id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    topic: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64))
    points: Mapped[int]
    max_points: Mapped[int]
    started_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


class QuizAnswer(Table):
    """The answer to one question, and its mark. Both are stored as JSON: the answer as the account sent it, and the mark as the
    response contained it.
    """

    __tablename__ = "quiz_answer"

    attempt_id: Mapped[str] = mapped_column(ForeignKey("quiz_attempt.id", ondelete="CASCADE"), primary_key=True)
    question: Mapped[str] = mapped_column(String(100), primary_key=True)
    answer: Mapped[str] = mapped_column(Text)
    mark: Mapped[str] = mapped_column(Text)
    answered_at: Mapped[datetime] = mapped_column(Moment)
