"""Tables: team_event (what happened to participations), webhook, webhook_delivery."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import SECRET, Moment, Table


class Status(StrEnum):
    """Where a delivery stands."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


IS_QUEUED = text("status = 'queued'")
IS_UNSETTLED = text("unsettled")


class TeamEvent(Table):
    """Something that happened to a participation: ids only, and gone with it. `unsettled`: not everything was judged yet."""

    __tablename__ = "team_event"
    __table_args__ = (
        Index(None, "team_id", "id"),
        Index(None, "assessment_id"),
        Index(None, "invitation_id"),
        Index(None, "participation_id"),
        Index("ix_team_event_unsettled", "id", sqlite_where=IS_UNSETTLED, postgresql_where=IS_UNSETTLED),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(32))
    assessment_id: Mapped[str] = mapped_column(ForeignKey("assessment.id", ondelete="CASCADE"))
    invitation_id: Mapped[str] = mapped_column(ForeignKey("invitation.id", ondelete="CASCADE"))
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(Moment)
    unsettled: Mapped[bool]


class Webhook(Table):
    """Where a team wants to be told, and of which `kinds` (words with spaces between). The secret is needed for every signature,
    so it lies here as it is; for a day after it was changed the former one signs too. `off_at`: nothing is sent any more.
    """

    __tablename__ = "webhook"
    __table_args__ = (Index(None, "team_id", "id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    url: Mapped[str] = mapped_column(String(500))
    kinds: Mapped[str] = mapped_column(String(300))
    secret: Mapped[str] = mapped_column(String(64), info=SECRET)
    former_secret: Mapped[str | None] = mapped_column(String(64), info=SECRET)
    rotated_at: Mapped[datetime | None] = mapped_column(Moment)
    created_at: Mapped[datetime] = mapped_column(Moment)
    failing_since: Mapped[datetime | None] = mapped_column(Moment)
    off_at: Mapped[datetime | None] = mapped_column(Moment)


class WebhookDelivery(Table):
    """One message to one webhook; without an event it is a test. `code`, `error` and `answer` are of the last attempt."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        Index(None, "webhook_id", "id"),
        Index(None, "event_id"),
        Index(None, "ended_at"),
        Index("ix_webhook_delivery_due", "next_at", sqlite_where=IS_QUEUED, postgresql_where=IS_QUEUED),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    webhook_id: Mapped[str] = mapped_column(ForeignKey("webhook.id", ondelete="CASCADE"))
    event_id: Mapped[str | None] = mapped_column(ForeignKey("team_event.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(32))
    status: Mapped[str] = mapped_column(String(8))
    attempts: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(Moment)
    next_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)
    code: Mapped[int | None]
    took_ms: Mapped[int | None]
    error: Mapped[str] = mapped_column(String(200))
    answer: Mapped[str] = mapped_column(String(500))
