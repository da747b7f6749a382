"""Defines the tables of links to reports, and of their openings. Only SHA-256 hashes of tokens are stored."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table


class ReportLink(Table):
    """A link to the report about one candidate."""

    __tablename__ = "report_link"
    __table_args__ = (Index(None, "participation_id", "id"), Index(None, "created_by"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    participation_id: Mapped[str] = mapped_column(ForeignKey("participation.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    revoked_at: Mapped[datetime | None] = mapped_column(Moment)


class ReportLinkOpening(Table):
    """An opening of a link. `agent` is the User-Agent header of the browser."""

    __tablename__ = "report_link_opening"
    __table_args__ = (Index(None, "link_id", "id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    link_id: Mapped[str] = mapped_column(ForeignKey("report_link.id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(Moment)
    agent: Mapped[str] = mapped_column(String(200))
