"""Tables: account, account_session (sign-ins of browsers), api_token, letter_link (one-time links in mail) and
provider_link (the identity providers with which an account can sign in). Secrets are stored only as hashes.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.kit.db.database import SECRET, Moment, Table


class Account(Table):
    """An account of a person. `email` is in lower case. `role` is guest, candidate, account or admin. `ban` is the reason
    why an admin has banned the account, or None. `password_hash` is "" for an account without a password: a guest, a
    candidate, or an account that signs in only with a provider.
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
        """Whether the owner has followed a link sent to the address, or a provider has confirmed the address."""
        return self.email_verified_at is not None

    @property
    def has_password(self) -> bool:
        """Whether it is possible to sign in to this account with a password."""
        return bool(self.password_hash)


class AccountSession(Table):
    """A session of a browser, from sign-in to sign-out."""

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
    """A named credential for programs. `hint` is the beginning of the token, by which its owner recognizes it."""

    __tablename__ = "api_token"
    __table_args__ = (Index(None, "account_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(80))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True, info=SECRET)
    hint: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(Moment)
    last_used_at: Mapped[datetime | None] = mapped_column(Moment)


class OneTimeLink(Table):
    """A one-time link in an email. `purpose` is what the link allows. `email` is the address to which the link is sent, so
    the person who uses the link can read email to this address. `data` (JSON) contains what is needed when the link is
    used, such as the name and the password hash of a person who registers.
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
    """A link from an account to a person at an identity provider; the person can sign in to the account with the provider.
    `issuer` identifies the provider, and `subject` the person there. `email` is the address that the provider reported.
    """

    __tablename__ = "provider_link"
    __table_args__ = (Index(None, "issuer", "subject", unique=True), Index(None, "account_id", "issuer", unique=True))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("account.id", ondelete="CASCADE"))
    issuer: Mapped[str] = mapped_column(String(255))
    subject: Mapped[str] = mapped_column(String(255))
    email: Mapped[str] = mapped_column(String(254))
    created_at: Mapped[datetime] = mapped_column(Moment)
