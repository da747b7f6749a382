"""Tests the board of a team: who appears on it, and who can see it."""

from pathlib import Path
from typing import Any

import pytest

from api.hiring.teams.models import TeamMember
from api.kit.db.database import now
from tests.api.challenge_folders import write_challenge
from tests.api.practice.test_leaderboards import judge
from tests.api.running_service import Person, running, settings_in

pytestmark = pytest.mark.anyio


async def id_of(person: Person) -> str:
    return str((await person.http.get("/api/me")).json()["id"])


async def test_only_members_who_join_appear_and_only_the_team_sees_it(home: Path) -> None:
    write_challenge(home / "challenges")
    write_challenge(home / "challenges", "add-two", difficulty="medium", title="Add two")
    async with running(settings_in(home)) as service:
        node, admin = await service.node(), await service.admin()
        ada, bob, eve = [await service.person(name) for name in ("ada", "bob", "eve")]
        for person, slug in ((ada, "add-one"), (bob, "add-two"), (eve, "add-two")):
            await judge(node, person, slug)
        team = (await ada.http.post("/api/teams", json={"name": "Hiring"})).json()["id"]
        path = f"/api/teams/{team}/leaderboard"
        async with service.state.db.write() as session:
            own = await id_of(bob)
            session.add(TeamMember(team_id=team, account_id=own, role="reviewer", joined_at=now()))

        async def board(person: Person, window: str = "month") -> tuple[list[tuple[int, str, int]], int, bool]:
            told: dict[str, Any] = (await person.http.get(path, params={"window": window})).json()
            rows = [(item["rank"], item["name"], item["points"]) for item in told["items"]]
            return rows, told["joined"], told["on_board"]

        async def join(person: Person, on_board: bool = True) -> None:
            answer = await person.http.put(f"{path}/me", json={"on_board": on_board})
            assert answer.json() == {"on_board": on_board}

        assert await board(ada) == ([], 0, False), "nobody appears before joining"
        await join(bob)
        await join(bob)
        assert await board(ada) == ([(1, "bob", 20)], 1, False)
        await join(ada)
        both = [(1, "bob", 20), (2, "ada", 10)]
        for window in ("month", "all", "week"):
            assert await board(bob, window) == (both, 2, True)
        assert await board(bob, "2020-01") == ([], 2, True)
        # Members who joined agreed to be seen by the team, also if nobody else can see them.
        await bob.http.put("/api/me/listing", json={"listed": False, "name": ""})
        assert await board(ada) == (both, 2, True)
        for outsider in (eve, admin):
            for answer in (
                await outsider.http.get(path),
                await outsider.http.put(f"{path}/me", json={"on_board": True}),
            ):
                assert (answer.status_code, answer.json()["code"]) == (404, "team_not_found")
        assert (await ada.http.get(f"{path}?window=year")).status_code == 422
        assert (await ada.http.put(f"{path}/me", json={"on_board": "yes"})).status_code == 422
        await join(ada, False)
        assert await board(bob) == ([(1, "bob", 20)], 1, True)
        await admin.http.put(f"/api/admin/accounts/{own}/ban", json={"reason": "Copied everything."})
        assert await board(ada) == ([], 0, False)
