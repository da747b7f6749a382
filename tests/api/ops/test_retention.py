"""Tests that old output, exhibits (pictures and values that a test shows) and logs are removed. Verdicts, and everything that
is still in use, must stay.
"""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.identity.accounts.models import Account
from api.identity.audit.models import AuditEntry
from api.judging.submissions.models import Judging
from api.judging.submissions.packed_text import MARK
from api.kit.db.database import Database, now
from api.kit.ids import first_id
from api.ops.database.copying import copy
from api.ops.privacy.retention import thin
from api.practice.cards.models import CardReview
from api.practice.quizzes.models import QuizAnswer, QuizAttempt
from api.practice.running_interviews.models import Interview, InterviewItem
from grader.contract.job import Exhibit, Verdict
from tests.api.running_service import Person, Service
from tests.api.scripted_node import judgement_of

pytestmark = pytest.mark.anyio
OLD, NEW = timedelta(days=31), timedelta(days=29)
PRINTED = "what it printed\n" * 100


async def judged(service: Service, name: str, ago: timedelta, role: str = "account") -> tuple[Person, str]:
    """Create a person with an answer that was judged this long ago and whose judgement contains output and exhibits. Return the
    person and the submission's id.
    """
    person = await service.person(name)
    sent = await person.send()
    node = await service.node(f"node-{name}")
    await node.ready()
    job = await node.take()
    drawn = (Exhibit("What came out", "curve", {"values": [0.5] * 200}),)
    full = [
        msgspec.structs.replace(test, stdout=PRINTED, exhibits=drawn, message="look again")
        for test in judgement_of(job).tests
    ]
    await node.judge(job, Verdict.AC, tests=tuple(full), output=PRINTED)
    await person.until(sent["id"], "judged")
    async with service.state.db.write() as session:
        await session.execute(update(Judging).where(Judging.submission_id == sent["id"]).values(ended_at=now() - ago))
        await session.execute(update(Account).where(Account.email == person.email).values(role=role))
    node.kill()
    return person, sent["id"]


async def stored(session: AsyncSession, submission: str) -> str:
    """Return the stored value of the column `judgement`."""
    raw = text("SELECT judgement FROM judging WHERE submission_id = :id")
    return str(await session.scalar(raw, {"id": submission}))


async def test_an_old_judgement_keeps_every_outcome_and_lets_go_what_was_printed(service: Service) -> None:
    person, old = await judged(service, "ada", OLD)
    _, new = await judged(service, "bob", NEW)
    _, taken = await judged(service, "eve", OLD, role="candidate")
    before = await person.get(old)
    async with service.state.db.read() as session:
        whole = {each: await stored(session, each) for each in (old, new, taken)}
    assert await thin(service.state.db, service.settings) is False
    async with service.state.db.read() as session:
        after = {each: await stored(session, each) for each in (old, new, taken)}
    assert after[old].startswith(MARK)
    assert len(after[old]) * 4 < len(whole[old])
    assert (after[new], after[taken]) == (whole[new], whole[taken]), "recent ones and candidates' stay as they are"
    told = await person.get(old)
    quiet = "(It was kept for 30 days.)"
    assert told["output"] == quiet
    for test, was in zip(told["tests"], before["tests"], strict=True):
        expected = {**was, "exhibits": [], "stdout": quiet if was["sample"] else ""}
        assert test == expected
    assert {key: told[key] for key in told.keys() - {"tests", "output"}} == {
        key: before[key] for key in before.keys() - {"tests", "output"}
    }
    exported = (await person.http.get("/api/me/export")).json()["judging"][0]["judgement"]
    assert exported["output"] == quiet
    assert await thin(service.state.db, service.settings) is False
    async with service.state.db.read() as session:
        assert await stored(session, old) == after[old], "once is enough"


async def test_what_is_packed_is_copied_packed(service: Service, tmp_path: Any) -> None:
    _, old = await judged(service, "ada", OLD)
    await thin(service.state.db, service.settings)
    target = Database(f"sqlite+aiosqlite:///{tmp_path / 'other.db'}")
    await copy(service.state.db, target)
    async with service.state.db.read() as here, target.read() as there:
        assert await stored(there, old) == await stored(here, old)
    await target.close()


def attempt(account: str, ago_days: int, name: str, **more: Any) -> QuizAttempt:
    """Return a finished attempt at a quiz, by default without full marks."""
    started = now() - timedelta(days=ago_days)
    values = {
        "topic": "adding",
        "digest": "d",
        "points": 1,
        "max_points": 2,
        "started_at": started,
        "ended_at": started,
    }
    return QuizAttempt(id=first_id(started) + name.rjust(16, "0"), account_id=account, **{**values, **more})


async def test_of_logs_and_attempts_only_what_nobody_uses_goes(service: Service) -> None:
    person = await service.person("ada")
    account = (await person.http.get("/api/me")).json()["id"]
    kept = [
        attempt(account, 500, "f", points=2),
        attempt(account, 10, "1"),
        attempt(account, 500, "a", topic="others"),
        attempt(account, 500, "c"),
    ]
    gone = [attempt(account, 500, "0"), attempt(account, 400, "e", ended_at=None)]
    answer = {"question": "q", "answer": "1", "mark": "{}", "answered_at": now()}
    old, recent = now() - timedelta(days=800), now() - timedelta(days=10)
    audited = dict.fromkeys(("actor_id", "actor_role", "action", "object_kind", "object_id", "address", "detail"), "x")
    interview = {"level": "x", "minutes": 1, "sections": "[]", "track": "x", "seed": 1}
    asked = {"kind": "question", "name": "x", "topic": "adding", "minutes": 1}
    graded = {"account_id": account, "card": "c", "rating": 3, "version": 1, "before": "{}"}
    async with service.state.db.write() as session:
        session.add_all([*kept, *gone])
        await session.flush()
        session.add_all(QuizAnswer(attempt_id=each.id, **answer) for each in (kept[0], gone[0]))
        session.add(Interview(id="i", account_id=account, started_at=old, deadline=old, **interview))
        await session.flush()
        session.add(InterviewItem(interview_id="i", position=1, attempt_id=kept[3].id, **asked))
        for moment in (old, recent):
            session.add(AuditEntry(id=first_id(moment) + "0" * 16, created_at=moment, **audited))
            session.add(CardReview(id=first_id(moment) + "0" * 16, reviewed_at=moment, **graded))
    assert await thin(service.state.db, service.settings) is False
    async with service.state.db.read() as session:
        assert set(await session.scalars(select(QuizAttempt.id))) == {each.id for each in kept}
        assert await session.scalar(select(func.count()).select_from(QuizAnswer)) == 1
        assert [row.created_at for row in await session.scalars(select(AuditEntry))] == [recent]
        assert [row.reviewed_at for row in await session.scalars(select(CardReview))] == [recent]
