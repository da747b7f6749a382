"""Tests that verdicts that are written in one transaction are scored together. The number of SQL statements must not depend on
the number of accounts.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select

from api.judging.dispatch import verdicts
from api.judging.submissions.models import Judging
from api.practice.leaderboards import scoring
from api.practice.leaderboards.models import Solve, Standing
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.practice.test_leaderboards import everything, shown
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode, judgement_of

pytestmark = pytest.mark.anyio
# The challenges to which each person sends an answer, in this order.
SENT = ("add-one", "add-one", "add-one", "add-two")


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with two challenges and without a limit on repeated answers."""
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-two", difficulty="medium", title="Add two")
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


async def test_verdicts_that_come_together_are_counted_together(service: Service) -> None:
    statements: list[str] = []
    database = service.state.db._engine.sync_engine

    def count(*said: Any) -> None:
        # Background work of the service also runs statements, but on other tables.
        if re.search(r"\b(solve|standing|listing)\b", said[2]):
            statements.append(said[2])

    async def together(people: list[Person], node: ScriptedNode) -> int:
        """Submit the answers in SENT for each account. The first answer of each account is wrong, and the others are right.
        Return the number of SQL statements that score these verdicts.
        """
        sent = [(await person.send(slug))["id"] for slug in SENT for person in people]
        await node.ready(other=len(sent))
        order = {sent: number for number, sent in enumerate(sent)}
        jobs = [await node.take() for _ in sent]
        async with service.state.db.read() as session:
            of = dict((await session.execute(select(Judging.id, Judging.submission_id))).all())
        jobs.sort(key=lambda job: order[of[job.id]])
        verdicts_ = [Verdict.WA] * len(people) + [Verdict.AC] * (len(sent) - len(people))
        told = [("node-1", judgement_of(job, verdict)) for job, verdict in zip(jobs, verdicts_, strict=True)]
        statements.clear()
        event.listen(database, "before_cursor_execute", count)
        await verdicts.write(service.state.dispatcher, told)
        event.remove(database, "before_cursor_execute", count)
        return len(statements)

    node, ada = await service.node(slots=20), await service.person("ada")
    alone = await together([ada], node)
    others = [await service.person(name) for name in ("bob", "eve", "joe")]
    assert await together(others, node) == alone > 0
    assert await shown(ada.http) == [
        (rank, name, 30) for rank, name in enumerate(("ada", "bob", "eve", "joe"), start=1)
    ]
    async with service.state.db.read() as session:
        solves = (await session.execute(select(Solve.slug, Solve.tries).order_by(Solve.slug))).all()
    assert [tuple(solve) for solve in solves] == [("add-one", 2)] * 4 + [("add-two", 1)] * 4
    before = await everything(service)
    assert await scoring.rebuild(service.state.db, service.state.store.catalogue) == (4, [])
    assert await everything(service) == before


async def test_of_solves_without_points_the_first_says_when_they_were_reached(service: Service) -> None:
    node, ada = await service.node(), await service.person("ada")
    for slug in ("add-two", "add-one"):
        await ada.http.post(f"/api/challenges/{slug}/giving-up")
        sent = await ada.send(slug)
        await node.ready()
        await node.judge(await node.take())
        await ada.until(sent["id"], "judged")
    async with service.state.db.read() as session:
        first = await session.scalar(select(Solve.solved_at).where(Solve.slug == "add-two", Solve.points == 0))
        reached = await session.scalar(select(Standing.reached_at).where(Standing.section == "", Standing.period == ""))
    assert reached == first is not None
