"""Tables: account, account_session (browser sign-ins), api_token, letter_link (one-time links in letters) and provider_link
(other sites by which an account signs in). Secrets are stored as SHA-256 only.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.db import SECRET, Moment, Table


class Account(Table):
    """A person. `email` is lower case; `role` is guest, candidate, account or admin; `ban` is why the account is closed, if it
    is. Who signs in by a provider may have no password: "".
    """

    __tablename__ = "account"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    email: Mapped[str] = mapped_column(String(254), unique=True)
    name: Mapped[str] = mapped_column(String(80))
    email_verified_at: Mapped[datetime | None] = mapped_column(Moment)
    password_hash: Mapped[str] = mapped_column(String(200), info=SECRET)
    role: Mapped[str] = mapped_column(String(16))
    ban: Mapped[str | None] = mapped_column(String(300))
    created_at: Mapped[datetime] = mapped_column(Moment)

    @property
    def email_verified(self) -> bool:
        """Whether a letter to the address was answered, or a provider vouched for it."""
        return self.email_verified_at is not None

    @property
    def has_password(self) -> bool:
        """Whether the account can sign in by password."""
        return bool(self.password_hash)


class AccountSession(Table):
    """One sign-in of a browser."""

    __tablename__ = "account_session"
    __table_args__ = (Index(None, "account_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
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
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    hint: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(Moment)
    last_used_at: Mapped[datetime | None] = mapped_column(Moment)


class LetterLink(Table):
    """A one-time link in a letter: `purpose` says what it is good for, `email` which address it proves. `data` (JSON) is what
    waits for it: name and password of somebody who registers.
    """

    __tablename__ = "letter_link"
    __table_args__ = (Index(None, "account_id"), Index(None, "expires_at"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str | None] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    purpose: Mapped[str] = mapped_column(String(8))
    email: Mapped[str] = mapped_column(String(254))
    data: Mapped[str] = mapped_column(Text, info=SECRET)
    expires_at: Mapped[datetime] = mapped_column(Moment)


class ProviderLink(Table):
    """An account signs in by a provider: `issuer` and `subject` name it there, `email` is what the provider said."""

    __tablename__ = "provider_link"
    __table_args__ = (Index(None, "issuer", "subject", unique=True), Index(None, "account_id", "issuer", unique=True))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(254))
    created_at: Mapped[datetime] = mapped_column(Moment)
