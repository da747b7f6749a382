"""Defines the tables `team_token` (credentials with which programs act for a team) and `invitation_reference` (a program's own
identifiers for invitations).
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table


class TeamToken(Table):
    """A named token with which a program acts for a team. `scopes` are separated by spaces; `hint` is the beginning of the
    token.
    """

    __tablename__ = "team_token"
    __table_args__ = (Index(None, "team_id", "id"), Index(None, "created_by"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    scopes: Mapped[str] = mapped_column(String(100))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    hint: Mapped[str] = mapped_column(String(16))
    created_by: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    created_at: Mapped[datetime] = mapped_column(Moment)
    last_used_at: Mapped[datetime | None] = mapped_column(Moment)


class InvitationReference(Table):
    """A program's own identifier for an invitation. Inviting with the same reference again creates no second invitation."""

    __tablename__ = "invitation_reference"
    __table_args__ = (Index(None, "team_id", "reference", unique=True),)

    invitation_id: Mapped[str] = mapped_column(ForeignKey("invitation.id", ondelete="CASCADE"), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    reference: Mapped[str] = mapped_column(String(100))
