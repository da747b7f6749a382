"""Recognizes known devices, on which an account has signed in before. Such a device has a cookie that proves it. Its failed
sign-ins are counted separately, so that other people's failed sign-ins do not lock the owner of the account out.

The proof is an HMAC with the account's password hash as the key. The server therefore stores nothing, nobody can forge a proof,
and a change of the password invalidates all proofs.
"""

import hashlib
import hmac
import secrets

from api.identity.accounts.models import Account

COOKIE = "gradus_device"
# Lifetime of the cookie in days.
DAYS = 365


def proof(account: Account) -> str:
    """Create the cookie value for a device that has just signed in to an account with a password."""
    mark = secrets.token_urlsafe(16)
    return f"{mark}.{_seal(account, mark)}"


def proves(cookie: str, account: Account | None) -> bool:
    """Return whether `cookie` proves that this device signed in to the account since its password was last changed."""
    mark, _, seal = cookie.partition(".")
    return (
        account is not None
        and account.has_password
        and hmac.compare_digest(seal.encode(), _seal(account, mark).encode())
    )


def _seal(account: Account, mark: str) -> str:
    words = f"{COOKIE} {account.id} {mark}".encode("utf-8", "surrogatepass")
    return hmac.new(account.password_hash.encode(), words, hashlib.sha256).hexdigest()
