"""Tests the results of an assessment: which participations count, the statistics, the times, and the answers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import update

from api.judging.submissions.models import Judging
from api.practice.quizzes.models import QuizAnswer
from tests.api.hiring.results.results_rig import ONE, OTHER, Cohort, names
from tests.api.hiring.taking_rig import Taker, rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def cohort(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cohort]:
    """The rig's cohort, in which no candidate has taken the assessment yet."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess(recorded=["pastes", "focus"])
        yield Cohort(rig)


async def test_nobody_has_no_figures(cohort: Cohort) -> None:
    told = await cohort.told()
    assert (told["started"], told["finished"], told["mean"], told["median"]) == (0, 0, None, None)
    assert (told["items"], told["people"], told["distribution"]) == ([], [], [0] * 10)


async def test_results_tell_figures_items_and_people(cohort: Cohort) -> None:
    for score, name in ((4, "Ann"), (2, "Ben"), (0, "Cem")):
        await cohort.takes(name, f"x = {score}", score, seconds=60 * (score + 1))
    running = Taker(cohort.rig.service.client())
    await running.start((await cohort.rig.invite())["token"])
    told = await cohort.told()
    assert (told["started"], told["finished"], names(told)) == (4, 3, ["Ann", "Ben", "Cem"])
    # The challenge is worth 10 of 15 points, and nobody opened the quiz.
    assert [person["share"] for person in told["people"]] == pytest.approx([10 / 15, 5 / 15, 0])
    assert (told["mean"], told["median"], told["distribution"]) == (
        pytest.approx(1 / 3), pytest.approx(1 / 3), [1, 0, 0, 1, 0, 0, 1, 0, 0, 0],
    )  # fmt: skip
    code, quiz = told["items"]
    assert (code["title"], code["people"], code["answered"], code["solved"]) == ("Add one", 3, 3, 1)
    assert (code["difficulty"], code["median_s"], code["discrimination"]) == (0.5, 180, None)
    assert (quiz["kind"], quiz["answered"], quiz["difficulty"], quiz["median_s"]) == ("quiz", 0, 0, None)


async def test_the_time_of_an_item_is_the_same_as_in_the_report(cohort: Cohort) -> None:
    token = (await cohort.rig.invite())["token"]
    taker = await cohort.rig.start(token)
    await taker.open()
    await taker.open(2)
    cohort.rig.clock.go(seconds=90)
    for score in (2, 4, 4):
        await cohort.sends(taker, f"x = {score}", score, seconds=30)
    await taker.http.post("/api/participation/finish")
    (person,) = (await cohort.told())["people"]
    assert [item["seconds"] for item in person["items"]] == [180, 0]
    assert person["seconds"] == 180
    report = await cohort.told(f"/participations/{person['participation_id']}")
    assert [item["spent_s"] for item in report["items"]] == [180, 0]


async def test_the_time_of_an_item_counts_every_stay(cohort: Cohort) -> None:
    """Many saves of one item, an answer to the other one, and back: the time of each stay belongs to its item."""
    await cohort.rig.assess(recorded=["edits"])
    taker = await cohort.rig.start((await cohort.rig.invite())["token"])
    await taker.open()
    for sequence in range(1, 6):
        cohort.rig.clock.go(seconds=10)
        await taker.save(f"x = {sequence}", sequence)
    cohort.rig.clock.go(seconds=5)
    await taker.open(2)
    cohort.rig.clock.go(seconds=20)
    answered = await taker.http.post("/api/participation/items/2/answers", json={"question": "how-much", "answer": 2})
    assert answered.status_code == 201, answered.text
    async with cohort.rig.service.state.db.write() as session:
        await session.execute(update(QuizAnswer).values(answered_at=cohort.rig.clock.moment))
    cohort.rig.clock.go(seconds=7)
    await taker.save("x = 6", 6)
    await taker.http.post("/api/participation/finish")
    (person,) = (await cohort.told())["people"]
    assert (person["seconds"], [item["seconds"] for item in person["items"]]) == (82, [62, 20])


async def test_best_or_last_attempt_counts_for_each_person(cohort: Cohort) -> None:
    await cohort.rig.assess(attempts=3)
    token = (await cohort.rig.invite(email="eve@example.org"))["token"]
    ids = [await cohort.takes_again(token, "Eve", f"x = {score}", score) for score in (1, 4, 2)]
    best, last = await cohort.told(), await cohort.told(attempts="last")
    assert (best["started"], best["finished"]) == (last["started"], last["finished"]) == (1, 1)
    assert [told["people"][0]["participation_id"] for told in (best, last)] == [ids[1], ids[2]]
    assert [told["people"][0]["number"] for told in (best, last)] == [2, 3]
    assert best["people"][0]["email"] == "eve@example.org"


async def test_versions_can_be_told_apart(cohort: Cohort) -> None:
    await cohort.takes("Ann", "x = 1", 4)
    assessment = (await cohort.rig.owner.http.get(cohort.rig.path)).json()
    body = {"version": assessment["version"], "plan": {**assessment["plan"], "minutes": 45}}
    saved = await cohort.rig.owner.http.put(f"{cohort.rig.path}/plan", json=body)
    assert saved.status_code == 200, saved.text
    await cohort.takes("Ben", "x = 2", 2)
    assert names(await cohort.told()) == ["Ann", "Ben"]
    assert [names(await cohort.told(version=number)) for number in (1, 2, 9)] == [["Ann"], ["Ben"], []]
    assert (await cohort.told(version=2))["versions"] == [1, 2]


async def test_signals_are_counted(cohort: Cohort) -> None:
    token = (await cohort.rig.invite())["token"]
    taker = await cohort.rig.start(token)
    await taker.open()
    signals = [{"kind": "paste", "size": 300}, {"kind": "paste", "size": 12}, {"kind": "blur"}, {"kind": "focus"}]
    await taker.save("x = 1", 1, signals=signals)
    await cohort.takes_again(token, "Eve", "x = 1", 4)
    (person,) = (await cohort.told())["people"]
    told = person["noticed"]
    assert (told["pastes"], told["pasted"], told["largest_paste"], told["left"]) == (2, 312, 300, 1)


async def test_points_by_hand_and_the_decision_count(cohort: Cohort) -> None:
    ann = await cohort.takes("Ann", "x = 1", 2)
    one = f"{cohort.rig.path}/participations/{ann}"
    points = {"mode": "add", "points": 3, "reason": "Only the dtype was off.", "seen": None}
    assert (await cohort.rig.owner.http.post(f"{one}/items/1/points", json=points)).status_code in (200, 201)
    decision = {"decision": "advance", "reason": "", "seen": None}
    assert (await cohort.rig.owner.http.post(f"{one}/decisions", json=decision)).status_code in (200, 201)
    told = await cohort.told()
    (person,) = told["people"]
    assert person["share"] == pytest.approx(8 / 15)
    assert (person["score"], person["decision"], told["items"][0]["difficulty"]) == (8, "advance", 0.8)


async def test_answers_that_count_stand_side_by_side(cohort: Cohort) -> None:
    ann = await cohort.takes("Ann", ONE, 4, later=[("x = 1", 0), ("y = 1", 4)])
    ben = await cohort.takes("Ben", "x = 0", 0, later=[(OTHER, 2), ("x = 2", 1)])
    told = await cohort.told("/results/answers/add-one", participation=[ben, ann])
    assert [(one["name"], one["verdict"], one["source"]) for one in told["items"]] == [
        ("Ben", "WA", OTHER), ("Ann", "AC", ONE),
    ]  # fmt: skip
    assert (await cohort.told("/results/answers/adding", participation=[ann]))["items"] == []
    path = f"{cohort.rig.path}/results/answers/add-one"
    five = await cohort.rig.owner.http.get(path, params={"participation": [ann] * 5})
    assert five.status_code == 422


async def test_the_last_answer_is_shown_if_none_counts(cohort: Cohort) -> None:
    ann = await cohort.takes("Ann", ONE, 4, later=[(OTHER, 4)])
    async with cohort.rig.service.state.db.write() as session:
        await session.execute(update(Judging).values(verdict="JE", score=0))
    (told,) = (await cohort.told("/results/answers/add-one", participation=[ann]))["items"]
    assert (told["verdict"], told["source"]) == ("JE", OTHER)


async def test_answers_of_another_assessment_are_not_shown(cohort: Cohort) -> None:
    ann = await cohort.takes("Ann", ONE, 4)
    await cohort.rig.assess()
    assert (await cohort.told("/results/answers/add-one", participation=[ann]))["items"] == []
    assert (await cohort.told())["people"] == []
