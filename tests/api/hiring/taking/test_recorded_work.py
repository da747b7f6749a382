"""Tests what is stored about a participation and its result, who can see the stored data, and how it is erased."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.invitations.models import Invitation
from api.hiring.participations.deadline_sweeper import erase_old
from api.hiring.participations.models import ParticipationEdit, ParticipationSignal
from api.identity.accounts.models import Account
from api.judging.submissions.models import Judging
from api.kit.db.database import Table
from tests.api.hiring.taking_rig import Rig, Taker, code_of, rig_in

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"
EDIT = {"t_ms": 5, "from": 0, "to": 0, "text": "import torch\n"}


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an assessment that records edits, pastes and changes of focus."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(recorded=["edits", "pastes", "focus"])
        yield rig


async def judged(rig: Rig, taker: Taker, **values: Any) -> dict[str, Any]:
    """Send an answer and store its result. Return the answer as the candidate sees it."""
    sent = (await taker.send(RIGHT)).json()["id"]
    values = {"status": "judged", "verdict": "WA", "score": 3, "max_score": 4, **values}
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).where(Judging.submission_id == sent).values(**values))
    shown: dict[str, Any] = (await taker.http.get(f"/api/participation/submissions/{sent}")).json()
    return shown


async def test_verdicts_are_kept_back_until_the_end_if_the_plan_says_so(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    await taker.open(2)
    shown = await judged(rig, taker)
    # The page shows the answer as judged only from the next full minute on; see test_result_delay.
    assert (shown["status"], shown["verdict"], shown["score"]) == ("queued", None, 0)
    answer = await taker.http.post("/api/participation/items/2/answers", json={"question": "how-much", "answer": 2})
    assert (answer.status_code, answer.json()) == (201, {"question": "how-much", "mark": None})
    for text in ((await taker.http.get("/api/participation")).text, str(await taker.open()), str(await taker.open(2))):
        assert "WA" not in text
        assert "SECRET" not in text
    ended = (await taker.http.post("/api/participation/finish")).json()
    assert (ended["sections"][0]["items"][0]["verdict"], ended["sections"][0]["items"][0]["score"]) == ("WA", 7.5)
    assert ended["sections"][1]["items"][0]["score"] > 0


async def test_verdicts_are_shown_at_once_if_the_plan_says_so(rig: Rig) -> None:
    await rig.assess(verdicts="at_once")
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    assert (await judged(rig, taker))["verdict"] == "WA"


async def test_the_best_answer_counts_and_our_errors_do_not(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    for values in ({"verdict": "AC", "score": 4}, {"verdict": "WA", "score": 1}, {"verdict": "JE", "score": 0}):
        await judged(rig, taker, **values)
    (row,) = await rig.watched()
    assert (row["score"], row["points"], row["sent"], row["opened"]) == (10, 15, 1, 1)


async def test_a_batch_sent_twice_is_kept_once_and_a_late_one_overwrites_nothing(rig: Rig) -> None:
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    batch = {"edits": [EDIT], "signals": [{"kind": "paste", "size": 300}, {"kind": "blur"}]}
    for sequence in (2, 2, 1, 1):
        saved = await taker.save(f"x = {sequence}", sequence, **batch)
        assert (saved.status_code, saved.json()["revision"]) == (200, 2)
    assert (await taker.open())["draft"]["source"] == "x = 2"
    assert (await rig.count(ParticipationEdit), await rig.count(ParticipationSignal)) == (2, 4)
    one = f"{rig.path}/participations/{(await rig.watched())[0]['id']}"
    edits = (await rig.owner.http.get(f"{one}/items/1/edits", params={"limit": 1})).json()
    assert (edits["items"][0]["sequence"], edits["items"][0]["events"]) == (1, [EDIT])
    rest = (await rig.owner.http.get(f"{one}/items/1/edits", params={"cursor": edits["next_cursor"]})).json()
    assert ([item["sequence"] for item in rest["items"]], rest["next_cursor"]) == ([2], None)
    huge = await taker.save("", 3, edits=[{**EDIT, "text": "x" * 70_000}])
    assert code_of(huge) == (413, "batch_too_large")
    assert (await taker.save("", 5001)).status_code == 422


async def test_nothing_is_recorded_that_was_not_told(rig: Rig) -> None:
    await rig.assess(recorded=[])
    taker = await rig.start((await rig.invite())["token"])
    await taker.open()
    await taker.save("x = 1", 1, edits=[EDIT], signals=[{"kind": "paste", "size": 300}, {"kind": "blur"}])
    assert (await taker.open())["draft"]["source"] == "x = 1"
    assert (await rig.count(ParticipationEdit), await rig.count(ParticipationSignal)) == (0, 0)


async def test_a_candidate_reads_nothing_of_another(rig: Rig) -> None:
    one, two = await rig.start((await rig.invite())["token"]), await rig.start((await rig.invite())["token"])
    await one.open()
    sent = (await one.send(RIGHT)).json()["id"]
    assert (await two.http.get(f"/api/participation/submissions/{sent}")).status_code == 404
    assert (await one.state())["id"] != (await two.state())["id"]


async def test_what_is_erased_leaves_nothing(rig: Rig) -> None:
    invited = await rig.invite(email="eve@example.org", name="Eve Example")
    taker = await rig.start(invited["token"])
    await taker.open()
    await taker.save(RIGHT, 1, edits=[EDIT])
    await taker.send(RIGHT)
    one = f"{rig.path}/participations/{(await rig.watched())[0]['id']}"
    assert (await rig.owner.http.delete(one)).status_code == 204
    assert (await taker.http.get("/api/participation")).status_code == 401
    await _nothing_left(rig)


async def test_what_was_kept_long_enough_is_erased_by_itself(rig: Rig) -> None:
    await rig.assess(retention_days=30)
    taker = await rig.start((await rig.invite(name="Eve Example"))["token"])
    await taker.http.post("/api/participation/finish")
    rig.clock.go(days=29)
    await erase_old(rig.service.state.db)
    assert await rig.count(Invitation) == 1
    rig.clock.go(days=20)
    await erase_old(rig.service.state.db)
    await _nothing_left(rig)


async def _nothing_left(rig: Rig) -> None:
    async with rig.service.state.db.read() as session:
        assert list(await session.scalars(select(Account.role))) == ["account"]
        for table in Table.metadata.sorted_tables:
            rows = [dict(row) for row in (await session.execute(select(table))).mappings()]
            if table.name not in ("team", "team_member", "assessment", "assessment_version", "letter"):
                assert not [row for row in rows if "Eve Example" in str(row) or RIGHT in str(row)], table.name
        assert await rig.count(Invitation) == 0
