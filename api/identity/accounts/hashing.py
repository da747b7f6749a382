"""Hashes passwords (argon2id, in a thread) and tokens (SHA-256, which is sufficient because tokens are random)."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from api.kit.errors import TooManyRequests

_passwords = PasswordHash((Argon2Hasher(),))
# If no account has the given email, the password is checked against this hash. The response then takes as long as it does for
# an existing account.
_DUMMY = _passwords.hash(secrets.token_hex(16))
# At most two hashes are computed at the same time. Each takes 64 MiB and one core, so more would slow down all other work.
_at_once = asyncio.Semaphore(2)
# Maximum number of passwords that are being hashed or wait to be hashed, a few seconds of work in all. More are refused.
LINE = 64
_in_line = 0


async def hash_password(password: str) -> str:
    async with _turn():
        return await asyncio.to_thread(_passwords.hash, password)


async def password_matches(password: str, stored: str | None) -> bool:
    """Return whether the password is correct. Without a stored hash, return False, but take as long as if there were one."""
    async with _turn():
        fits = await asyncio.to_thread(_passwords.verify, password, stored or _DUMMY)
    return fits and stored is not None


@contextlib.asynccontextmanager
async def _turn() -> AsyncIterator[None]:
    global _in_line
    if _in_line >= LINE:
        raise TooManyRequests(
            "Too many people are signing in at this moment. Try again in a few seconds.", retry_after_s=5
        )
    _in_line += 1
    try:
        async with _at_once:
            yield
    finally:
        _in_line -= 1


def new_token(prefix: str) -> str:
    """Create a random secret of 256 bits. Users and secret scanners recognize it by its prefix."""
    return prefix + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """Return the form in which a token is stored: its SHA-256 in hex."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
