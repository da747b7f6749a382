"""Computes the data seed of a judging: HMAC-SHA256 of its id, with a secret of this site as the key.

Hidden tests draw their inputs from the seed, so every judging has different inputs, and nobody can predict them without the
secret. A node gets the seed of one judging, never the secret. A rejudge uses the stored seed again.
"""

import hmac
import secrets

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.judging.submissions.models import SiteSecret
from api.kit.db.database import hold
from grader.contract.job import SEED_BITS

NAME, BYTES = "data seeds", 32


class Seeds:
    """Computes the seeds of this site's judgings. Call `read` before `of`."""

    def __init__(self) -> None:
        self._secret = b""

    async def read(self, session: AsyncSession) -> None:
        """Read the site's secret from the database. If there is none yet, create it."""
        await hold(session, NAME)
        row = await session.scalar(select(SiteSecret).where(SiteSecret.name == NAME))
        if row is None:
            row = SiteSecret(name=NAME, value=secrets.token_hex(BYTES))
            session.add(row)
        self._secret = bytes.fromhex(row.value)

    def of(self, judging_id: str) -> int:
        """Return the seed of a judging, a number below 2**63. It is the same for each of its attempts."""
        if not self._secret:
            raise RuntimeError("the site's secret has not been read")
        digest = hmac.digest(self._secret, judging_id.encode(), "sha256")
        return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)
