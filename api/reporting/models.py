"""Tables: similarity_check (the newest look at an assessment's answers) and similarity_pair (what it found). Of people they hold
only ids; they go with the answers that they are about.
"""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class SimilarityCheck(Table):
    """`digest` covers every source that was compared: while it is the same, so are the pairs."""

    __tablename__ = "similarity_check"

    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    answers: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(Moment)


class SimilarityPair(Table):
    """Two answers to a challenge that share passages (JSON: first and last line of the left, then of the right one). On the left
    stands a participation's answer; on the right another's, or, where that is null, the catalogue's `reference`.
    """

    __tablename__ = "similarity_pair"
    __table_args__ = (
        Index(None, "assessment_id", "id"),
        Index(None, "left_id"),
        Index(None, "right_id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    assessment_id: Mapped[str] = mapped_column(ForeignKey("similarity_check.assessment_id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(100))
    left_id: Mapped[str] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    right_id: Mapped[str | None] = mapped_column(ForeignKey("submission.id", ondelete="CASCADE"))
    reference: Mapped[str] = mapped_column(String(100))
    left_share: Mapped[float] = mapped_column(Float)
    right_share: Mapped[float] = mapped_column(Float)
    tokens: Mapped[int]
    passages: Mapped[str] = mapped_column(Text)
