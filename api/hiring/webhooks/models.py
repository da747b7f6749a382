"""Defines the tables `team_event` (events of participations), `webhook`, and `webhook_delivery`."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table


class Status(StrEnum):
    """The state of a delivery."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


IS_QUEUED = text("status = 'queued'")
IS_UNSETTLED = text("unsettled")


class TeamEvent(Table):
    """An event of a participation. It contains only IDs, and is deleted with the participation. If `unsettled` is true, a
    `participation.judged` event must still be recorded when all answers are judged.
    """

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
    """An address to which a team wants events to be sent. `kinds` are the kinds of events, separated by spaces. The secret is
    stored in plain text, because every signature needs it. For a day after a change, messages are also signed with
    `former_secret`. If `off_at` is set, nothing is sent.
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
    """A message to a webhook. A message without an event is a test. `code` (HTTP status), `error` and `answer` (beginning of
    the response) are from the last attempt.
    """

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
