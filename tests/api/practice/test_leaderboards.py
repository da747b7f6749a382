"""Tests solves and leaderboards: which account solved a challenge first, the points, and the ranks."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, select, update

from api.judging.submissions.models import Submission
from api.kit.db.database import now
from api.practice.leaderboards import scoring
from api.practice.leaderboards.cli import _rebuild
from api.practice.leaderboards.models import Solve, Standing
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Person, Service, running, settings_in
from tests.api.scripted_node import ScriptedNode

pytestmark = pytest.mark.anyio
ADA = {"email": "ada@example.org", "name": "ada", "password": "ten characters"}


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with an easy, a medium and a hard challenge in two sections."""
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-two", difficulty="medium", title="Add two")
    write_challenge(home / "challenges", "add-three", section="further", difficulty="hard", title="Add three")
    async with running(settings_in(home, repeat_window_s=0)) as service:
        yield service


async def judge(node: ScriptedNode, person: Person, slug: str = "add-one", verdict: Verdict = Verdict.AC) -> str:
    """Submit an answer and judge it. Return the submission's id."""
    sent = await person.send(slug)
    await end(node, verdict)
    await person.until(sent["id"], "judged")
    return str(sent["id"])


async def end(node: ScriptedNode, verdict: Verdict = Verdict.AC) -> None:
    await node.ready()
    await node.judge(await node.take(), verdict)


async def shown(client: httpx.AsyncClient, path: str = "/api/leaderboard", **wanted: Any) -> list[tuple[int, str, int]]:
    """Return the rank, name and points of each row of a page."""
    answer = await client.get(path, params=wanted)
    assert answer.status_code == 200, answer.text
    return [(item["rank"], item["name"], item["points"]) for item in answer.json()["items"]]


async def pages(person: Person, path: str, limit: int, **wanted: Any) -> list[Any]:
    """Return the rows of all pages of a board. The `total` of every page must count them."""
    found, totals, cursor = [], set(), ""
    while cursor is not None:
        page = (await person.http.get(path, params={"limit": limit, "cursor": cursor, **wanted})).json()
        found += page["items"]
        totals.add(page["total"])
        cursor = page["next_cursor"]
    assert totals == {len(found)}
    return found


async def everything(service: Service) -> list[Any]:
    """Return all solves and standings (an account's points) as sorted strings, so that they can be compared."""
    async with service.state.db.read() as session:
        rows = [*await session.scalars(select(Solve)), *await session.scalars(select(Standing))]
    return sorted(str({name: value for name, value in vars(row).items() if name[0] != "_"}) for row in rows)


async def test_points_by_level_and_who_had_them_first(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada, "add-one")
    await judge(node, bob, "add-two")
    await judge(node, bob, "add-one", Verdict.WA)
    assert await shown(ada.http) == [(1, "bob", 20), (2, "ada", 10)]
    await judge(node, ada, "add-one")
    await judge(node, bob, "add-one")
    await judge(node, ada, "add-two")
    assert await shown(ada.http) == [(1, "bob", 30), (2, "ada", 30)], "equal points: who had them first"
    await judge(node, ada, "add-three")
    assert await shown(service.client()) == [(1, "ada", 70), (2, "bob", 30)]
    assert await shown(ada.http, section="further") == [(1, "ada", 40)]
    assert await shown(ada.http, challenge="add-two") == [(1, "bob", 20), (2, "ada", 20)]
    for window in ("week", "month"):
        assert await shown(ada.http, window=window) == [(1, "ada", 70), (2, "bob", 30)]


async def test_only_what_was_submitted_and_accepted_counts(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    run = await ada.send(kind="run")
    await end(node)
    await ada.until(run["id"], "judged")
    await judge(node, ada, verdict=Verdict.WA)
    assert await shown(ada.http) == []
    solved = await judge(node, ada)
    async with service.state.db.read() as session:
        solve = (await session.scalars(select(Solve))).one()
        began_at = await session.scalar(select(Submission.created_at).where(Submission.id == run["id"]))
    assert (solve.submission_id, solve.tries, solve.began_at) == (solved, 2, began_at)


async def test_a_rejudge_takes_back_gives_back_and_leaves_alone_what_was_our_fault(service: Service) -> None:
    node, ada, admin = await service.node(), await service.person(), await service.admin()
    first, second = await judge(node, ada), await judge(node, ada)

    async def again(submission: str, verdict: Verdict) -> None:
        assert (await admin.http.post(f"/api/submissions/{submission}/rejudge")).status_code == 202
        await end(node, verdict)
        await ada.until(submission, "judged")

    async def solved_by() -> list[str]:
        async with service.state.db.read() as session:
            return list(await session.scalars(select(Solve.submission_id)))

    assert await solved_by() == [first]
    await again(first, Verdict.WA)
    assert await solved_by() == [second], "the next accepted one counts"
    await again(second, Verdict.TLE)
    assert (await solved_by(), await shown(ada.http)) == ([], [])
    await again(second, Verdict.AC)
    assert (await solved_by(), await shown(ada.http)) == ([second], [(1, "ada", 10)])
    # The rejudge is cancelled before it gives a new verdict, so the old verdict must continue to count.
    await admin.http.post(f"/api/submissions/{second}/rejudge")
    await ada.http.post(f"/api/submissions/{second}/cancel")
    assert await solved_by() == [second]
    before = await everything(service)
    assert await scoring.rebuild(service.state.db, service.state.store.catalogue) == (1, [])
    assert await everything(service) == before


async def test_rebuilding_changes_nothing_and_makes_everything_from_judgings_alone(
    service: Service, home: Path
) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    for person in (ada, bob):
        await judge(node, person, verdict=Verdict.WA)
        for slug in ("add-one", "add-two", "add-three"):
            await judge(node, person, slug)
    before = await everything(service)
    assert await _rebuild(service.settings, keep=True) == (2, [])
    assert await everything(service) == before
    async with service.state.db.write() as session:
        await session.execute(delete(Solve))
        await session.execute(delete(Standing))
    await scoring.fill_if_empty(service.state.db, service.state.store.catalogue)
    assert await everything(service) == before
    async with service.state.db.write() as session:
        await session.execute(update(Solve).values(points=1))
    await scoring.fill_if_empty(service.state.db, service.state.store.catalogue)
    assert await everything(service) != before, "at a start nothing is done that was done before"


async def test_ties_pages_and_finding_oneself(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    node = await service.node()
    people = [await service.person(f"p{number}") for number in range(9)]
    for person in people:
        await judge(node, person)
    moment = now()
    async with service.state.db.write() as session:
        # Three accounts reach their points at the same moment. All others do so at different moments.
        for place, name in enumerate(["p0", "p1", "p2", "p2", "p2", "p5", "p6", "p7", "p8"]):
            account = (await people[place].http.get("/api/me")).json()["id"]
            await session.execute(
                update(Standing)
                .where(Standing.account_id == account)
                .values(reached_at=moment + timedelta(seconds=int(name[1])))
            )
    ranks = [(1, "p0"), (2, "p1"), (3, "p2"), (3, "p3"), (3, "p4"), (6, "p5"), (7, "p6"), (8, "p7"), (9, "p8")]
    for size in (1, 2, 3, 4, 9, 50):
        found = await pages(people[0], "/api/leaderboard", size)
        assert [(item["rank"], item["name"]) for item in found] == ranks, size
        for place, person in enumerate(people):
            own = (await person.http.get("/api/leaderboard/me", params={"limit": size})).json()
            assert (own["mine"]["rank"], own["mine"]["name"]) == ranks[place]
            assert (own["first"]["rank"], own["first"]["name"]) == ranks[0]
            around = [(item["rank"], item["name"]) for item in own["items"]]
            assert around == ranks[ranks.index(around[0]) :][: len(around)]
    # On the board of a challenge in a week, whose index has the solves of all time, pages have the same places.
    of_week = {"challenge": "add-one", "window": "week"}
    whole = await pages(people[0], "/api/leaderboard", 50, **of_week)
    assert [item["rank"] for item in whole] == list(range(1, 10))
    assert [item["id"] for item in await pages(people[0], "/api/leaderboard", 2, **of_week)] == [
        item["id"] for item in whole
    ]
    for other in people[1:]:
        own = (await other.http.get("/api/me")).json()["id"]
        assert (await people[0].http.put(f"/api/profiles/{own}/follow")).status_code == 204
    # The ranks must be the same on a large leaderboard, where they are counted from the nearest milestone.
    monkeypatch.setattr("api.practice.leaderboards.rank_milestones.LARGE", 2)
    for step in (2, 3, 8, 100):
        monkeypatch.setattr("api.practice.leaderboards.rank_milestones.STEP", step)
        service.state.milestones.__init__()  # type: ignore[misc]
        for wanted in ({}, {"challenge": "add-one"}):
            owns = [(await person.http.get("/api/leaderboard/me", params=wanted)).json() for person in people]
            assert {own["total"] for own in owns} == {9}
            expected = [rank for rank, _ in ranks] if not wanted else list(range(1, 10))
            assert [own["mine"]["rank"] for own in owns] == expected, (step, wanted)
            followed = await pages(people[0], "/api/leaderboard/following", step, **wanted)
            assert [(item["rank"], item["overall_rank"]) for item in followed] == [(rank, rank) for rank in expected]


async def test_guests_appear_when_they_sign_up_and_the_earlier_of_two_solves_stays(service: Service) -> None:
    node, bob = await service.node(), await service.person("bob")
    ada = await service.person("ada")
    early = await judge(node, ada, "add-one")
    guest = Person(service.client())
    await guest.http.post("/api/guest")
    await judge(node, guest, "add-one")
    first = await judge(node, guest, "add-two")
    await judge(node, bob, "add-two")
    await judge(node, ada, "add-two")
    assert await shown(bob.http) == [(1, "ada", 30), (2, "bob", 20)]
    told = (await guest.http.get("/api/leaderboard/me")).json()
    assert (told["mine"], told["reason"], told["first"]["name"]) == (None, "guest", "ada")
    body = {"email": ADA["email"], "password": ADA["password"]}
    assert (await guest.http.post("/api/session", json=body)).status_code == 200
    assert await shown(bob.http) == [(1, "ada", 30), (2, "bob", 20)]
    assert await shown(bob.http, challenge="add-two") == [(1, "ada", 20), (2, "bob", 20)], "as a guest she was first"
    async with service.state.db.read() as session:
        query = select(Solve.slug, Solve.submission_id).join(Submission, Submission.id == Solve.submission_id)
        hers = {tuple(row) for row in await session.execute(query.where(Submission.kind == "submit"))}
    assert {("add-one", early), ("add-two", first)} <= hers
    before = await everything(service)
    await scoring.rebuild(service.state.db, service.state.store.catalogue)
    assert len(await everything(service)) == len(before)


async def test_who_is_not_listed_is_nowhere_and_a_shown_name_is_shown(service: Service) -> None:
    node, ada, bob = await service.node(), await service.person("ada"), await service.person("bob")
    await judge(node, ada)
    await judge(node, bob)
    assert (await ada.http.get("/api/me/listing")).json() == {"listed": True, "name": ""}
    for name in ("<b>Ada</b>", "Ada & 'Co'"):
        answer = await ada.http.put("/api/me/listing", json={"listed": True, "name": name})
        assert answer.json()["name"] == name
        assert await shown(bob.http) == [(1, name, 10), (2, "bob", 10)]
    await ada.http.put("/api/me/listing", json={"listed": False, "name": ""})
    for wanted in ({}, {"section": "basics"}, {"challenge": "add-one"}, {"window": "week"}):
        assert await shown(bob.http, **wanted) == [(1, "bob", 10)]
    assert (await ada.http.get("/api/leaderboard/me")).json()["reason"] == "unlisted"
    await judge(node, ada, "add-two")
    assert await shown(bob.http) == [(1, "bob", 10)], "what is solved later is not shown either"
    await ada.http.put("/api/me/listing", json={"listed": True, "name": ""})
    assert await shown(bob.http) == [(1, "ada", 30), (2, "bob", 10)]


async def test_who_is_banned_vanishes_and_comes_back(service: Service) -> None:
    node, ada, admin = await service.node(), await service.person(), await service.admin()
    await judge(node, ada)
    own = (await ada.http.get("/api/me")).json()["id"]
    await admin.http.put(f"/api/admin/accounts/{own}/ban", json={"reason": "Copied everything."})
    assert await shown(admin.http) == await shown(admin.http, challenge="add-one") == []
    assert (await admin.http.get(f"/api/profiles/{own}")).status_code == 404
    await admin.http.delete(f"/api/admin/accounts/{own}/ban")
    assert await shown(admin.http) == [(1, "ada", 10)]
    assert (await admin.http.get(f"/api/profiles/{own}")).status_code == 200


async def test_two_judgements_of_one_account_at_the_same_time_are_both_counted(service: Service) -> None:
    node, ada = await service.node(), await service.person()
    sent = [await ada.send(slug) for slug in ("add-one", "add-two", "add-three")]
    await node.ready(other=3)
    jobs = [await node.take() for _ in sent]
    await asyncio.gather(*(node.judge(job) for job in jobs))
    for each in sent:
        await ada.until(each["id"], "judged")
    assert await shown(ada.http) == [(1, "ada", 70)]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("section=none", 404, "section_not_found"),
        ("challenge=none", 404, "challenge_not_found"),
        ("section=basics&challenge=add-one", 422, "invalid_input"),
        ("window=year", 422, "invalid_input"),
        ("window=2026-W54", 422, "invalid_input"),
        ("window=2021-W53", 422, "invalid_input"),
        ("window=2026-13", 422, "invalid_input"),
        ("window=1999-W01", 422, "invalid_input"),
        ("cursor=nonsense", 422, "bad_cursor"),
        ("cursor=WzEsICIyMDI2IiwgIngiXQ", 422, "bad_cursor"),
        ("cursor=WzEwMDAwMDAwMDAwMDAwMDAwMDAwMCwgIjIwMjYtMDEtMDFUMDA6MDA6MDArMDA6MDAiLCAieCJd", 422, "bad_cursor"),
    ],
)
async def test_boards_that_do_not_exist_are_refused(service: Service, query: str, status: int, code: str) -> None:
    answer = await service.client().get(f"/api/leaderboard?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
