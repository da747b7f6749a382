"""Passwords and tokens: argon2id in a thread, SHA-256 for tokens that are random already."""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from api.errors import TooManyRequests

_passwords = PasswordHash((Argon2Hasher(),))
# Checked when the e-mail is unknown, so that the answer takes as long as for a known one.
_DUMMY = _passwords.hash(secrets.token_hex(16))
# Each hash takes 64 MiB and a core: many at once would starve everything else.
_at_once = asyncio.Semaphore(2)
# And a line of so many is a few seconds long; who would stand at its end is asked to come back.
LINE = 64
_in_line = 0


async def hash_password(password: str) -> str:
    """argon2id hash of a password."""
    async with _turn():
        return await asyncio.to_thread(_passwords.hash, password)


async def password_matches(password: str, stored: str | None) -> bool:
    """Whether the password fits; takes as long when there is nothing to compare with."""
    async with _turn():
        fits = await asyncio.to_thread(_passwords.verify, password, stored or _DUMMY)
    return fits and stored is not None


@contextlib.asynccontextmanager
async def _turn() -> AsyncIterator[None]:
    global _in_line
    if _in_line >= LINE:
        raise TooManyRequests("Too many people sign in at this moment. Please try again.", retry_after_s=5)
    _in_line += 1
    try:
        async with _at_once:
            yield
    finally:
        _in_line -= 1


def new_token(prefix: str) -> str:
    """A fresh secret of 256 bits; the prefix lets people and scanners recognise it."""
    return prefix + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
