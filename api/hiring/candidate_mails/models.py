"""Defines the table `candidate_mail`."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import Moment, Table


class CandidateMail(Table):
    """What a team adds to the emails to its candidates: a message, the member who gets the replies, and a logo (a PNG). A team
    without a row adds nothing.
    """

    __tablename__ = "candidate_mail"
    __table_args__ = (Index(None, "reply_to"),)

    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    message: Mapped[str] = mapped_column(Text)
    reply_to: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    logo: Mapped[bytes | None] = mapped_column(LargeBinary)
    saved_at: Mapped[datetime] = mapped_column(Moment)
