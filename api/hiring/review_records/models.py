"""Defines the tables `review_note`, `rubric_criterion`, `rubric_score`, `manual_points` and `decision`.

Rows are deleted together with their participation or assessment. A member's data export contains the rows that the member
wrote. When a member's account is deleted, the member's rows are kept without the name.
"""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import AUTHOR, Moment, Table


class ReviewNote(Table):
    """A member's note about a participation."""

    __tablename__ = "review_note"
    __table_args__ = (Index(None, "participation_id", "id"), Index(None, "author_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    author_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    edited_at: Mapped[datetime | None] = mapped_column(Moment)


class RubricCriterion(Table):
    """A criterion, scored from 0 to `levels`. A criterion that was removed from the rubric is kept while it has scores."""

    __tablename__ = "rubric_criterion"
    __table_args__ = (Index(None, "assessment_id", "position"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"))
    position: Mapped[int]
    title: Mapped[str] = mapped_column(String(120))
    description: Mapped[str] = mapped_column(Text)
    levels: Mapped[int]
    retired_at: Mapped[datetime | None] = mapped_column(Moment)


class RubricScore(Table):
    """A reviewer's score for a criterion. `level` is the score. `levels` is the maximum that the criterion had when the score
    was given.
    """

    __tablename__ = "rubric_score"
    __table_args__ = (
        Index(None, "participation_id", "criterion_id", "reviewer_id", unique=True),
        Index(None, "criterion_id"),
        Index(None, "reviewer_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    criterion_id: Mapped[str] = mapped_column(ForeignKey("rubric_criterion.id", ondelete="CASCADE"))
    reviewer_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    level: Mapped[int]
    levels: Mapped[int]
    given_at: Mapped[datetime] = mapped_column(Moment)


class ManualPoints(Table):
    """Manual points for an item. The newest entry of an item counts. `mode` is `set` (the points replace the automatic points),
    `add` (the points are added to the automatic points) or `none` (only the automatic points count).
    """

    __tablename__ = "manual_points"
    __table_args__ = (Index(None, "participation_id", "position", "id"), Index(None, "reviewer_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    position: Mapped[int]
    mode: Mapped[str] = mapped_column(String(4))
    points: Mapped[float] = mapped_column(Float)
    reason: Mapped[str] = mapped_column(Text)
    reviewer_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    given_at: Mapped[datetime] = mapped_column(Moment)


class Decision(Table):
    """A decision about a participation: advance, hold, reject or none. The newest decision counts. Earlier decisions are kept
    as a history. `answers_pending` is how many answers had no final points when the decision was made.
    """

    __tablename__ = "decision"
    __table_args__ = (Index(None, "participation_id", "id"), Index(None, "decided_by"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    decision: Mapped[str] = mapped_column(String(8))
    reason: Mapped[str] = mapped_column(Text)
    answers_pending: Mapped[int] = mapped_column(server_default="0")
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    decided_at: Mapped[datetime] = mapped_column(Moment)
