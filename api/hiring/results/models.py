"""Defines the tables `similarity_check` (the latest comparison of an assessment's answers) and `similarity_pair` (its results).
They identify candidates only by the IDs of their submissions, and are deleted together with the answers.
"""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class SimilarityCheck(Table):
    """The latest comparison of an assessment's answers. `digest` is computed from the version of the method, the IDs of all
    compared submissions, and the digests of their challenges. The stored pairs are valid as long as a newly computed digest is
    equal to this one.
    """

    __tablename__ = "similarity_check"

    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    answers: Mapped[int]
    made_at: Mapped[datetime] = mapped_column(Moment)


class SimilarityPair(Table):
    """Two answers to a challenge that share passages. The left answer belongs to a participation. The right answer belongs to
    another participation or, if `right_id` is null, to the challenge's authors. In that case, `reference` is the name of the
    accepted answer, or stands for the code in the editorial.

    `passages` is a JSON list. Each passage consists of four line numbers: its first and last line in the left answer, and its
    first and last line in the right answer.
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
