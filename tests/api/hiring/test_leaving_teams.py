"""Tests what happens to teams, and to team invitations that contain an email address, when an account is deleted. Also tests
that old invitations are deleted.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from api.hiring.teams.models import Team, TeamInvitation, TeamMember
from api.identity.accounts.models import Account
from api.identity.mail.message import safe_name
from api.kit.db.database import Table, now
from api.ops.privacy import service as personal
from api.ops.privacy.rows import ACCOUNT, addresses
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.test_teams import accept, invite, joined, own_id, team_of
from tests.api.request_bodies import TEAMS
from tests.api.running_service import Person, Service, running, settings_in

pytestmark = pytest.mark.anyio
PASSWORD = {"password": "ten characters"}


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with a high limit on the number of emails."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, mails_per_network=1000, mails_per_address=1000)) as service:
        yield service


async def leave(person: Person) -> tuple[int, str]:
    answer = await person.http.request("DELETE", "/api/me", json=PASSWORD)
    return answer.status_code, answer.json()["code"] if answer.content else ""


async def count(service: Service, table: type[Table]) -> int:
    async with service.state.db.read() as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


async def verify(service: Service, *people: Person) -> None:
    async with service.state.db.write() as session:
        known = Account.email.in_([person.email for person in people])
        await session.execute(update(Account).where(known).values(email_verified_at=now()))


def test_every_address_in_a_table_has_a_rule() -> None:
    """An email address identifies a person, so it must be possible to erase it. There are two ways. Either the table refers to
    an account, and rows are deleted with the account. Or the column is marked with ADDRESS, so that the rows with a person's
    address can be found.
    """
    for table in Table.metadata.sorted_tables:
        for column in table.c:
            if column.name == "email" or column.name.endswith("_email"):
                with_account = "account_id" in table.c or table is ACCOUNT
                assert with_account or column in addresses(table), f"{table.name}.{column.name}: mark it, info=ADDRESS"


async def test_a_team_goes_with_its_only_member(service: Service) -> None:
    ada = await service.person("ada")
    team = await team_of(ada)
    assert (await ada.http.post(f"/api/teams/{team}/assessments", json={"name": "One"})).status_code == 201
    await invite(ada, team, "x@example.org")
    assert await leave(ada) == (204, "")
    for table in (Team, TeamMember, TeamInvitation):
        assert await count(service, table) == 0, table


async def test_the_only_owner_of_a_team_of_several_hands_it_over_first(service: Service) -> None:
    ada = await service.person("ada")
    team = await team_of(ada)
    made = (await ada.http.post(f"/api/teams/{team}/assessments", json={"name": "One"})).json()["id"]
    bob = await joined(service, ada, team, "bob")
    assert await leave(ada) == (409, "last_owner")
    assert (await ada.http.get("/api/me")).json()["id"], "nothing of it was erased"
    role = await ada.http.put(f"/api/teams/{team}/members/{await own_id(bob)}", json={"role": "owner"})
    assert role.status_code == 200
    assert await leave(ada) == (204, "")
    told = (await bob.http.get(f"/api/teams/{team}/assessments/{made}")).json()
    assert (told["name"], told["created_by"]) == ("One", None)
    assert (await bob.http.get(f"/api/teams/{team}")).json()["members"] == 1


async def test_a_deleted_team_leaves_nothing(service: Service) -> None:
    ada = await service.person("ada")
    team = await team_of(ada)
    body = TEAMS["POST /api/teams/{team_id}/assessments"]
    await ada.http.post(f"/api/teams/{team}/assessments", json=body)
    await joined(service, ada, team, "bob")
    assert (await ada.http.delete(f"/api/teams/{team}")).status_code == 204
    assert (await ada.http.get(f"/api/teams/{team}")).status_code == 404
    async with service.state.db.read() as session:
        for table in Table.metadata.sorted_tables:
            if table.name.startswith(("team", "assessment")):
                assert await session.scalar(select(func.count()).select_from(table)) == 0, table.name


async def test_export_and_erasure_find_invitations_by_a_verified_address(service: Service) -> None:
    ada, bob, eve = [await service.person(name) for name in ("ada", "bob", "eve")]
    team = await team_of(ada)
    for person in (bob, eve):
        await invite(ada, team, person.email)
    accepted = await invite(ada, team, "robert@example.org")
    assert (await accept(bob, accepted)).status_code == 200
    await verify(service, bob)
    told = (await bob.http.get("/api/me/export")).json()
    assert [row["email"] for row in told["team_invitation"]] == [bob.email, "robert@example.org"]
    assert "token_hash" not in told["team_invitation"][0]
    assert [row["role"] for row in told["team_member"]] == ["reviewer"]
    # Eve has not verified her address, so she can neither see nor erase the invitation that was sent to it.
    assert (await eve.http.get("/api/me/export")).json()["team_invitation"] == []
    assert (await leave(eve), await leave(bob)) == ((204, ""), (204, ""))
    listed = (await ada.http.get(f"/api/teams/{team}/invitations")).json()["items"]
    assert [row["email"] for row in listed] == [eve.email]


async def test_invitations_are_forgotten_some_time_after_their_end(service: Service) -> None:
    ada = await service.person("ada")
    team = await team_of(ada)
    for number in range(2):
        await invite(ada, team, f"x{number}@example.org")
    long_ago = now() - timedelta(days=service.settings.letter_days + 1)
    async with service.state.db.write() as session:
        first = TeamInvitation.email == "x0@example.org"
        await session.execute(update(TeamInvitation).where(first).values(expires_at=long_ago))
    await personal.sweep(service.state.db, service.settings)
    listed = (await ada.http.get(f"/api/teams/{team}/invitations")).json()["items"]
    assert [row["email"] for row in listed] == ["x1@example.org"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Research & Development", "Research & Development"),
        ("O'Neill-Team 2", "O'Neill-Team 2"),
        ("हिन्दी टीम", "हिन्दी टीम"),
        ("ML engineer, mid-level (C++)", "ML engineer, mid-level (C++)"),
        ("Sr. engineer: round 2 — Zürich", "Sr. engineer: round 2 — Zürich"),
        ("Visit evil.example. Now", "Visit evil example. Now"),
        ("www.evil.example/login?x=1", "www evil example login x 1"),
        ("a@evil.example", "a evil example"),
        ("<b>x</b>", "b x b"),
        ("x" * 80, "x" * 60),
    ],
)
def test_a_name_in_a_letter_can_make_no_link(name: str, told: str) -> None:
    assert safe_name(name) == told
