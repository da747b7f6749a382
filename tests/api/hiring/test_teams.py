"""Tests teams. A team always has an owner, roles limit what members may do, and outsiders see nothing. An invitation can be
used once, by link or by email.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select, update

from api.hiring.teams import invitations
from api.hiring.teams import service as rules
from api.hiring.teams.models import TeamInvitation, TeamMember
from api.kit.db.database import now
from tests.api.running_service import Person, Service, running, settings_in
from tests.mailbox import Mailbox, link_in, text_of

pytestmark = pytest.mark.anyio


@pytest.fixture
async def posting(home: Path, box: Mailbox) -> AsyncIterator[Service]:
    """A service that sends emails."""
    async with running(settings_in(home, smtp_url=box.url, mails_per_network=1000, mails_per_address=1000)) as service:
        yield service


@pytest.fixture
async def service(home: Path) -> AsyncIterator[Service]:
    """A service with a high limit on the number of emails."""
    async with running(settings_in(home, mails_per_network=1000, mails_per_address=1000)) as service:
        yield service


async def own_id(person: Person) -> str:
    found: str = (await person.http.get("/api/me")).json()["id"]
    return found


async def team_of(person: Person, name: str = "Hiring") -> str:
    made = await person.http.post("/api/teams", json={"name": name})
    assert made.status_code == 201, made.text
    team_id: str = made.json()["id"]
    return team_id


async def invite(owner: Person, team: str, email: str, role: str = "reviewer") -> httpx.Response:
    return await owner.http.post(f"/api/teams/{team}/invitations", json={"email": email, "role": role})


async def accept(person: Person, answer: httpx.Response) -> httpx.Response:
    token = answer.json()["link"].partition("#")[2]
    return await person.http.post("/api/team-invitations/accept", json={"token": token})


async def joined(service: Service, owner: Person, team: str, name: str, role: str = "reviewer") -> Person:
    """Add a new member to the team."""
    person = await service.person(name)
    assert (await accept(person, await invite(owner, team, person.email, role))).status_code == 200
    return person


async def confirmed(service: Service, box: Mailbox, name: str) -> Person:
    """Register a new person, who then follows the link in the confirmation email."""
    person = Person(service.client(), f"{name}@example.org")
    body = {"email": person.email, "name": name, "password": "ten characters"}
    assert (await person.http.post("/api/accounts", json=body)).status_code == 202
    _, token = link_in(await asyncio.to_thread(box.wait_for, person.email))
    answer = await person.http.post("/api/accounts/confirm", json={"token": token, "password": body["password"]})
    assert answer.status_code == 201
    return person


async def test_somebody_is_invited_joins_and_is_seen_by_the_team_alone(service: Service) -> None:
    ada, bob, eve = [await service.person(name) for name in ("ada", "bob", "eve")]
    team = await team_of(ada)
    sent = await invite(ada, team, "robert@example.org", "author")
    assert (sent.status_code, sent.json()["state"], sent.json()["by"]) == (201, "open", "console")
    assert sent.json()["link"].startswith(f"{service.settings.url}/join#team_")
    token = {"token": sent.json()["link"].partition("#")[2]}
    offer = (await service.client().post("/api/team-invitations/read", json=token)).json()
    assert (offer["team"], offer["role"], offer["email"]) == ("Hiring", "author", "robert@example.org")
    told = await accept(bob, sent)
    assert (told.status_code, told.json()["role"], told.json()["members"]) == (200, "author", 2)
    assert (await accept(eve, sent)).status_code == 410, "once"
    members = (await bob.http.get(f"/api/teams/{team}/members")).json()["items"]
    assert [(row["name"], row["email"], row["role"]) for row in members] == [
        ("ada", ada.email, "owner"),
        ("bob", bob.email, "author"),
    ]
    listed = (await ada.http.get(f"/api/teams/{team}/invitations")).json()["items"]
    seen = [(row["email"], row["state"], row["invited_by"], row["accepted_by"]) for row in listed]
    assert seen == [("robert@example.org", "accepted", "ada", bob.email)], "with which account he joined is shown"
    admin = await service.admin()
    for stranger in (eve, admin):
        assert (await stranger.http.get(f"/api/teams/{team}")).status_code == 404
        assert (await stranger.http.get("/api/teams")).json()["items"] == []


async def test_guests_have_no_teams(service: Service) -> None:
    ada = await service.person()
    sent = await invite(ada, await team_of(ada), "bob@example.org")
    guest = Person(service.client())
    await guest.http.post("/api/guest")
    for answer in (await guest.http.post("/api/teams", json={"name": "x"}), await accept(guest, sent)):
        assert (answer.status_code, answer.json()["code"]) == (403, "account_required")
    assert (await guest.http.get("/api/teams")).json()["items"] == []


async def test_the_letter_has_a_link_of_its_own_and_no_token_lies_anywhere(posting: Service, box: Mailbox) -> None:
    ada, bob = [await confirmed(posting, box, name) for name in ("ada", "bob")]
    team = await team_of(ada, "Win at https://evil.example/x now")
    sent = await invite(ada, team, "new@example.org")
    letter = await asyncio.to_thread(box.wait_for, "new@example.org")
    page, token = link_in(letter)
    shown = sent.json()["link"].partition("#")[2]
    assert page == f"{posting.settings.url}/join"
    assert token != shown
    assert "evil.example" not in letter.as_string(), "a name makes no link"
    assert "“Win at https evil example x now” at Gradus, as its reviewer" in " ".join(text_of(letter).split())
    async with posting.state.db.read() as session:
        row = (await session.scalars(select(TeamInvitation))).one()
        assert not {token, shown} & {str(value) for value in vars(row).values()}
    told = await bob.http.post("/api/team-invitations/accept", json={"token": token})
    assert told.status_code == 200
    assert (await accept(await confirmed(posting, box, "eve"), sent)).status_code == 410, (
        "the other link is used up too"
    )


async def test_sending_again_and_revoking_end_what_was_sent_before(posting: Service, box: Mailbox) -> None:
    ada, bob = [await confirmed(posting, box, name) for name in ("ada", "bob")]
    team = await team_of(ada)
    first = await invite(ada, team, "new@example.org")
    _, old = link_in(await asyncio.to_thread(box.wait_for, "new@example.org"))
    path = f"/api/teams/{team}/invitations/{first.json()['id']}"
    second = await ada.http.post(f"{path}/resend")
    assert second.status_code == 200
    _, new = link_in(await asyncio.to_thread(box.wait_for, "new@example.org", 2))
    for token in (old, first.json()["link"].partition("#")[2]):
        assert (await bob.http.post("/api/team-invitations/read", json={"token": token})).status_code == 410
    assert (await bob.http.post("/api/team-invitations/read", json={"token": new})).status_code == 200
    assert [(await ada.http.delete(path)).status_code for _ in range(2)] == [204, 204]
    for token in (new, second.json()["link"].partition("#")[2]):
        assert (await bob.http.post("/api/team-invitations/accept", json={"token": token})).status_code == 410
    again = await ada.http.post(f"{path}/resend")
    assert (again.status_code, again.json()["code"]) == (409, "invitation_ended")
    assert (await invite(ada, team, "new@example.org")).status_code == 201, "a new one may be made"


async def test_an_invitation_expires_and_can_be_sent_again(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    team = await team_of(ada)
    sent = await invite(ada, team, bob.email)
    assert (await invite(ada, team, bob.email.upper())).json()["code"] == "already_invited"
    async with service.state.db.write() as session:
        await session.execute(update(TeamInvitation).values(expires_at=now() - timedelta(seconds=1)))
    assert (await accept(bob, sent)).status_code == 410
    listed = (await ada.http.get(f"/api/teams/{team}/invitations")).json()["items"]
    assert [row["state"] for row in listed] == ["expired"]
    again = await ada.http.post(f"/api/teams/{team}/invitations/{sent.json()['id']}/resend")
    assert (await accept(bob, again)).status_code == 200
    assert (await ada.http.delete(f"/api/teams/{team}/invitations/{sent.json()['id']}")).status_code == 409
    assert (await invite(ada, team, bob.email)).json()["code"] == "already_member"


async def test_whoever_has_a_link_is_told_why_it_does_not_work_any_more(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    team = await team_of(ada)
    used, revoked, expired = [await invite(ada, team, f"{name}@example.org") for name in ("x", "y", "z")]
    assert (await accept(bob, used)).status_code == 200
    assert (await ada.http.delete(f"/api/teams/{team}/invitations/{revoked.json()['id']}")).status_code == 204
    late = update(TeamInvitation).where(TeamInvitation.id == expired.json()["id"])
    async with service.state.db.write() as session:
        await session.execute(late.values(expires_at=now() - timedelta(seconds=1)))
    for sent, word in ((used, "already"), (revoked, "revoked this invitation"), (expired, "has expired")):
        token = sent.json()["link"].partition("#")[2]
        told = await bob.http.post("/api/team-invitations/read", json={"token": token})
        assert (told.status_code, word in told.json()["message"]) == (410, True), told.text
    stranger = await bob.http.post("/api/team-invitations/read", json={"token": "team_nothing"})
    assert "link is not valid" in stranger.json()["message"]


async def test_of_many_who_use_one_link_at_once_one_joins(service: Service) -> None:
    ada = await service.person("ada")
    people = [await service.person(name) for name in ("bob", "cyd", "dan")]
    sent = await invite(ada, await team_of(ada), "x@example.org")
    answers = await asyncio.gather(*(accept(person, sent) for person in people))
    assert sorted(answer.status_code for answer in answers) == [200, 410, 410]


async def test_there_is_always_an_owner(service: Service) -> None:
    ada = await service.person("ada")
    team = await team_of(ada)
    bob = await joined(service, ada, team, "bob")
    mine, his = f"/api/teams/{team}/members/{await own_id(ada)}", f"/api/teams/{team}/members/{await own_id(bob)}"
    for answer in (await ada.http.delete(mine), await ada.http.put(mine, json={"role": "author"})):
        assert (answer.status_code, answer.json()["code"]) == (409, "last_owner")
    assert (await bob.http.delete(mine)).json()["code"] == "role_too_low"
    assert (await ada.http.put(his, json={"role": "owner"})).json()["role"] == "owner"
    # Two owners remove each other at the same time: the second request fails.
    out = await asyncio.gather(ada.http.delete(his), bob.http.delete(mine))
    assert sorted(answer.status_code for answer in out) == [204, 404]
    async with service.state.db.read() as session:
        assert list(await session.scalars(select(TeamMember.role))) == ["owner"]


async def test_who_is_not_owner_may_leave(service: Service) -> None:
    ada = await service.person("ada")
    team = await team_of(ada)
    bob = await joined(service, ada, team, "bob", "author")
    assert (await bob.http.delete(f"/api/teams/{team}/members/{await own_id(bob)}")).status_code == 204
    assert (await bob.http.get(f"/api/teams/{team}")).status_code == 404
    gone = await ada.http.put(f"/api/teams/{team}/members/{await own_id(bob)}", json={"role": "owner"})
    assert (gone.status_code, gone.json()["code"]) == (404, "member_not_found")


async def test_everything_is_bounded(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "TEAMS", 2)
    monkeypatch.setattr(rules, "MEMBERS", 2)
    monkeypatch.setattr(invitations, "OPEN", 2)
    ada, bob, eve = [await service.person(name) for name in ("ada", "bob", "eve")]
    teams = await asyncio.gather(*(ada.http.post("/api/teams", json={"name": str(number)}) for number in range(4)))
    assert sorted(answer.status_code for answer in teams) == [201, 201, 409, 409]
    team = next(answer.json()["id"] for answer in teams if answer.status_code == 201)
    sent = await asyncio.gather(*(invite(ada, team, f"x{number}@example.org") for number in range(4)))
    assert sorted(answer.status_code for answer in sent) == [201, 201, 409, 409]
    links = [answer for answer in sent if answer.status_code == 201]
    assert (await accept(bob, links[0])).status_code == 200
    full = await accept(eve, links[1])
    assert (full.status_code, full.json()["code"]) == (409, "team_full")
    assert (await accept(bob, links[1])).json()["code"] == "already_member"
    await ada.http.delete(f"/api/teams/{team}/members/{await own_id(bob)}")
    for _ in range(2):
        await team_of(eve)
    assert (await accept(eve, links[1])).json()["code"] == "too_many_teams"
    assert (await accept(bob, links[1])).status_code == 200, "whoever was refused did not use it up"


async def test_letters_of_a_team_are_counted(home: Path) -> None:
    async with running(settings_in(home, mails_per_network=2)) as few:
        ada = await few.person()
        team = await team_of(ada)
        codes = [(await invite(ada, team, f"x{number}@example.org")).status_code for number in range(3)]
        assert codes == [201, 201, 429]
        assert len((await ada.http.get(f"/api/teams/{team}/invitations")).json()["items"]) == 2


async def test_invitations_come_in_pages(service: Service) -> None:
    ada = await service.person()
    team = await team_of(ada)
    for number in range(3):
        await invite(ada, team, f"x{number}@example.org")
    path = f"/api/teams/{team}/invitations?limit=2"
    first = (await ada.http.get(path)).json()
    second = (await ada.http.get(path, params={"limit": 2, "cursor": first["next_cursor"]})).json()
    assert [row["email"][1] for row in first["items"] + second["items"]] == ["2", "1", "0"]
    assert second["next_cursor"] is None
