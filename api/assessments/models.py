"""Tables: assessment and assessment_version, apart so that lists never load a plan."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class Assessment(Table):
    """`state` is draft, open or archived. `version` counts every saving of its plan: who saves says which one he has seen."""

    __tablename__ = "assessment"
    __table_args__ = (Index(None, "team_id", "id"), Index(None, "created_by"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(120))
    state: Mapped[str] = mapped_column(String(8))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    version: Mapped[int]


class AssessmentVersion(Table):
    """A plan (JSON, see `plan.Plan`). Once frozen it never changes; `digests` (JSON) are those of its challenges and quizzes
    at that moment, by `kind:name`.
    """

    __tablename__ = "assessment_version"

    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    plan: Mapped[str] = mapped_column(Text)
    digests: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    frozen_at: Mapped[datetime | None] = mapped_column(Moment)
