"""Computes the seed of a judging: HMAC-SHA256 of the judging's id, with a secret of this site as the key.

Hidden tests generate their inputs from the seed. Each new judging therefore has different inputs, and nobody can predict them
without the secret. A node gets only the seeds of its jobs, never the secret. A rejudge uses the stored seed of the earlier
judging again.
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
        """Return the seed of a judging, a number below 2**63. All attempts at one judging have the same seed."""
        if not self._secret:
            raise RuntimeError("the site's secret has not been read")
        digest = hmac.digest(self._secret, judging_id.encode(), "sha256")
        return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)
