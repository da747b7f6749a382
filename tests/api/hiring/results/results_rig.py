"""Provides a team and candidates who have taken its assessment. Each test chooses the candidates' answers, results and times."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import update

from api.judging.submissions.models import Judging, Submission
from tests.api.hiring.taking_rig import Rig, Taker

ANSWERS = Path(__file__).parents[4] / "challenges/architectures/scaled-dot-product-attention/submissions/accepted"
# Two answers that were written independently and are long enough to be compared.
ONE, OTHER = (path.read_text() for path in sorted(ANSWERS.glob("*.py"))[:2])
# Answers with their scores (out of 4), in the order in which they are sent.
Sent = Sequence[tuple[str, int]]


@dataclass
class Cohort:
    """The candidates who have taken the assessment of a team."""

    rig: Rig
    takers: list[Taker] = field(default_factory=list)

    async def takes(
        self, name: str, source: str, score: int, *, seconds: int = 60, later: Sent = (), **person: Any
    ) -> str:
        """Invite a candidate who opens the challenge, sends an answer this many seconds later, then the `later` ones, and
        finishes. Return the participation's id.
        """
        token = (await self.rig.invite(**person))["token"]
        return await self.takes_again(token, name, source, score, seconds=seconds, later=later)

    async def takes_again(
        self, token: str, name: str, source: str, score: int, *, seconds: int = 60, later: Sent = ()
    ) -> str:
        """Start another attempt with an existing invitation, send answers and finish, as `takes` does."""
        taker = Taker(self.rig.service.client())
        started = await taker.start(token, name=name)
        assert started.status_code in (200, 201), started.text
        await taker.open()
        for text, points in ((source, score), *later):
            await self.sends(taker, text, points, seconds=seconds)
        ended = await taker.http.post("/api/participation/finish")
        assert ended.status_code == 200, ended.text
        self.takers.append(taker)
        found: str = ended.json()["id"]
        return found

    async def sends(self, taker: Taker, source: str, score: int, *, seconds: int) -> None:
        """Let this many seconds pass, send an answer, and store its score (out of 4)."""
        self.rig.clock.go(seconds=seconds)
        sent = await taker.send(source)
        assert sent.status_code in (200, 201), sent.text
        verdict = "AC" if score == 4 else "WA"
        values = {"status": "judged", "verdict": verdict, "score": score, "max_score": 4}
        async with self.rig.service.state.db.write() as session:
            mine = sent.json()["id"]
            await session.execute(update(Judging).where(Judging.submission_id == mine).values(**values))
            await session.execute(
                update(Submission).where(Submission.id == mine).values(created_at=self.rig.clock.moment)
            )

    async def told(self, path: str = "/results", **query: Any) -> dict[str, Any]:
        """Request a path below the assessment's URL as the team. Return the response's JSON body."""
        answer = await self.rig.owner.http.get(f"{self.rig.path}{path}", params=query)
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def look(self) -> dict[str, Any]:
        """Let the service compare the candidates' answers with each other. Return the result."""
        answer = await self.rig.owner.http.post(f"{self.rig.path}/similarity")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body


def names(told: dict[str, Any]) -> Sequence[str]:
    """Return the names in the results, in order."""
    return [person["name"] for person in told["people"]]
