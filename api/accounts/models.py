"""Tables: account, account_session (browser sign-ins) and api_token. Secrets are stored as SHA-256 only."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.db import Moment, Table


class Account(Table):
    """A person. `email` is lower case; `role` is guest, account or admin; `ban` is why the account is closed, if it is."""

    __tablename__ = "account"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    password_hash: Mapped[str] = mapped_column(String(200))
    role: Mapped[str] = mapped_column(String(16))
    ban: Mapped[str | None] = mapped_column(String(300))
    created_at: Mapped[datetime] = mapped_column(Moment)


class AccountSession(Table):
    """One sign-in of a browser."""

    __tablename__ = "account_session"
    __table_args__ = (Index(None, "account_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    agent: Mapped[str] = mapped_column(String(200))
    address: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(Moment)
    last_used_at: Mapped[datetime] = mapped_column(Moment)
    expires_at: Mapped[datetime] = mapped_column(Moment)


class ApiToken(Table):
    """A named credential for programs; `hint` is its beginning, so that people recognise it."""

    __tablename__ = "api_token"
    __table_args__ = (Index(None, "account_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    hint: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(Moment)
    last_used_at: Mapped[datetime | None] = mapped_column(Moment)
