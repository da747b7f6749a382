"""Defines the tables `assessment` and `assessment_version`. Plans are stored in `assessment_version`, so that lists of
assessments do not load them.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class Assessment(Table):
    """An assessment of a team. `state` is draft, open or archived. `version` increases by one each time the plan is stored. A
    request that saves the plan must name the version that the member has edited, so that members do not overwrite each other's
    changes.
    """

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
    """A version of an assessment's plan. `plan` is JSON (see `plan.Plan`). `frozen_at` is when the first candidate started with
    this version. `tested_at` is when a member of the team first tried it in a test drive. From the earlier of the two on, the
    version does not change.

    `digests` is a JSON object. Its keys are the challenges and quizzes of the plan, in the form `kind:name`, and
    the variants that can be drawn, in the form `variant:<challenge>:<variant>`. Its values are digests, which identify the exact
    versions that candidates get. They are stored (pinned) when the assessment is opened.
    """

    __tablename__ = "assessment_version"

    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    plan: Mapped[str] = mapped_column(Text)
    digests: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Moment)
    frozen_at: Mapped[datetime | None] = mapped_column(Moment)
    tested_at: Mapped[datetime | None] = mapped_column(Moment)
