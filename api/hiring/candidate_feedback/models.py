"""Defines the table of candidates' feedback."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class CandidateFeedback(Table):
    """A candidate's opinion of the assessment. `rating` is from 1 (bad) to 5 (good). `difficulty` is easy, right or hard."""

    __tablename__ = "candidate_feedback"

    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"), primary_key=True)
    rating: Mapped[int]
    difficulty: Mapped[str] = mapped_column(String(8))
    comment: Mapped[str] = mapped_column(Text)
    written_at: Mapped[datetime] = mapped_column(Moment)
