"""Defines the tables `team`, `team_member` and `team_invitation`. Only SHA-256 hashes of tokens are stored."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, false
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import ADDRESS, SECRET, Moment, Table


class Team(Table):
    """A team. Deleting it deletes everything that belongs to it. If `shares_results` is true, the points and times of its
    candidates count in comparisons with all teams that share theirs.
    """

    __tablename__ = "team"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(Moment)
    shares_results: Mapped[bool] = mapped_column(default=False, server_default=false())


class TeamMember(Table):
    """A member of a team. `role` is owner, author or reviewer. `on_board` says whether the member appears on the team's board."""

    __tablename__ = "team_member"
    __table_args__ = (Index(None, "account_id"),)

    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"), primary_key=True)
    role: Mapped[str] = mapped_column(String(8))
    joined_at: Mapped[datetime] = mapped_column(Moment)
    on_board: Mapped[bool] = mapped_column(default=False, server_default=false())


class TeamInvitation(Table):
    """An invitation that lets one person join a team. The link shown to the owner and the one in the email have separate
    tokens. The email's token is created when the email is sent, so that only hashes of tokens are stored.
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


class TeamLogEntry(Table):
    """An action of a member. `object_id` and `title` name what it was about, such as an assessment; `detail` says more, such as
    how many candidates were invited. Entries name neither candidates nor members, because they are kept when these are erased.
    """

    __tablename__ = "team_log"
    __table_args__ = (Index(None, "team_id", "id"), Index(None, "actor_id"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"))
    actor_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="SET NULL"))
    action: Mapped[str] = mapped_column(String(40))
    object_id: Mapped[str] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(String(160))
    detail: Mapped[str] = mapped_column(String(160))
    at: Mapped[datetime] = mapped_column(Moment)
