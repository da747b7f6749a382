"""Tables: team, team_member and team_invitation (one-time, by letter and by a link). Secrets are stored as SHA-256 only."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.db import ADDRESS, SECRET, Moment, Table


class Team(Table):
    """A team. All that belongs to it goes with it."""

    __tablename__ = "team"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(Moment)


class TeamMember(Table):
    """Somebody in a team; `role` is owner, author or reviewer."""

    __tablename__ = "team_member"
    __table_args__ = (Index(None, "account_id"),)

    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str] = mapped_column(String(8))
    joined_at: Mapped[datetime] = mapped_column(Moment)


class TeamInvitation(Table):
    """The right of one person to join. The link that its owner was shown and the one in the letter have a token each; the
    letter's is made when it is sent, so that no token ever lies here.
    """

    __tablename__ = "team_invitation"
    __table_args__ = tuple(
        Index(None, *columns)
        for columns in (("team_id", "id"), ("email",), ("expires_at",), ("invited_by",), ("accepted_by",))
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    email: Mapped[str] = mapped_column(String(254), info=ADDRESS)
    role: Mapped[str] = mapped_column(String(8))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    letter_hash: Mapped[str | None] = mapped_column(String(64), unique=True, info=SECRET)
    invited_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    accepted_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)
    accepted_at: Mapped[datetime | None] = mapped_column(Moment)
    revoked_at: Mapped[datetime | None] = mapped_column(Moment)
