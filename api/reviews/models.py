"""Tables: review_note, rubric_criterion, rubric_score, manual_points and decision. All go with the participation or the
assessment; whoever wrote a row has it in his export, and when he leaves it stays without his name.
"""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import AUTHOR, Moment, Table


class ReviewNote(Table):
    """What a member wrote about a participation."""

    __tablename__ = "review_note"
    __table_args__ = (Index(None, "participation_id", "id"), Index(None, "author_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    author_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    edited_at: Mapped[datetime | None] = mapped_column(Moment)


class RubricCriterion(Table):
    """Something to look at, scored from 0 to `levels`. One that was taken out of the rubric stays while it has scores."""

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
    """What one reviewer gave for a criterion: `level` of the `levels` that it had then."""

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
    """Points for an item by hand; the newest entry of an item counts. `mode` is set (in place of the automatic ones), add (to
    them) or none (the automatic ones again).
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
    """What becomes of somebody: advance, hold, reject or none; the newest counts, the others are its history."""

    __tablename__ = "decision"
    __table_args__ = (Index(None, "participation_id", "id"), Index(None, "decided_by"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    decision: Mapped[str] = mapped_column(String(8))
    reason: Mapped[str] = mapped_column(Text)
    decided_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"), info=AUTHOR)
    decided_at: Mapped[datetime] = mapped_column(Moment)
