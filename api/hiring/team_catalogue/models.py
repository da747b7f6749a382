"""Defines the tables `own_challenge` and `own_version`. The files are in `own_version`, so that lists of challenges do not load
them.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table

IS_ASKED = text("gate IN ('waiting', 'running')")


class OwnChallenge(Table):
    """A challenge that a team has written. `state` is draft, published or archived. `version` is the number of saves.
    `published` is the number of the version that assessments can use, or null.
    """

    __tablename__ = "own_challenge"
    __table_args__ = (
        Index(None, "team_id", "slug", unique=True),
        Index(None, "team_id", "id"),
        Index(None, "created_by"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(80))
    title: Mapped[str] = mapped_column(String(120))
    state: Mapped[str] = mapped_column(String(16))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    version: Mapped[int]
    published: Mapped[int | None]


class OwnVersion(Table):
    """A version of a challenge. `files` is a JSON object that maps paths to texts. It includes the lock files once the gate has
    written them. `gate` is unchecked, waiting, running, passed or failed; `report` (JSON) is the gate's report. A version that
    passed, or that was published without passing, has a digest and never changes.
    """

    __tablename__ = "own_version"
    __table_args__ = (
        Index("ix_own_version_asked", "asked_at", sqlite_where=IS_ASKED, postgresql_where=IS_ASKED),
        Index(None, "digest"),
    )

    challenge_id: Mapped[str] = mapped_column(ForeignKey("own_challenge.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    files: Mapped[str] = mapped_column(Text, deferred=True)
    saved_at: Mapped[datetime] = mapped_column(Moment)
    digest: Mapped[str] = mapped_column(String(64))
    gate: Mapped[str] = mapped_column(String(16))
    asked_at: Mapped[datetime | None] = mapped_column(Moment)
    token: Mapped[str | None] = mapped_column(String(48), info=SECRET)
    attempts: Mapped[int]
    judgings: Mapped[int]
    report: Mapped[str | None] = mapped_column(Text, deferred=True)
