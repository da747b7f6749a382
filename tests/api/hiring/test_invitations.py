"""Tests invitations: for one person, for many, and from a CSV file. Also tests emails, reminders, links that stop working, and
the message of each refusal.
"""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from api.hiring.invitations import service
from api.hiring.invitations.csv_import import BadSheet, read
from api.hiring.invitations.models import Invitation
from api.hiring.participations import deadline_sweeper
from api.identity.mail.models import OutboxMail
from api.kit.db.database import now
from api.ops.wiring import MAIL_TEMPLATES
from api.settings import Settings
from tests.api.hiring.taking_rig import Rig, code_of, plan_of, rig_in

pytestmark = pytest.mark.anyio
EVE = {"email": "eve@example.org", "name": "Eve"}


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment. Emails are not sent, they stay in the outbox."""
    async with rig_in(home, monkeypatch, poll_s=60) as rig:
        monkeypatch.setattr(Settings, "sends_mail", True)
        await rig.assess()
        yield rig


async def letters(rig: Rig, kind: str) -> list[str]:
    """Render the queued emails of this kind. Return the tokens of their links, oldest email first."""
    tokens = []
    async with rig.service.state.db.write() as session:
        for letter in (
            await session.scalars(select(OutboxMail).where(OutboxMail.kind == kind).order_by(OutboxMail.id))
        ).all():
            content = await MAIL_TEMPLATES[kind](session, letter, "http://here")
            if content is not None:
                tokens.append(content.link.rpartition("/")[2])
    return tokens


async def opens(rig: Rig, token: str) -> bool:
    """Return whether a link with this token opens the assessment."""
    return (await rig.service.client().get(f"/api/take/{token}")).status_code == 200


async def do(rig: Rig, invitation: dict[str, Any], verb: str) -> httpx.Response:
    """Send a request about an invitation. `verb` is the last part of the request's URL."""
    return await rig.owner.http.post(f"{rig.path}/invitations/{invitation['id']}/{verb}")


async def long_ago(rig: Rig, **more: Any) -> None:
    """Change all invitations as if they had been created and sent an hour ago. `more` sets further columns."""
    values = {"sent_at": now() - timedelta(hours=1), "created_at": now() - timedelta(hours=1), **more}
    async with rig.service.state.db.write() as session:
        await session.execute(update(Invitation).values(**values))


async def test_the_link_shown_and_the_one_in_the_letter_both_open_it(rig: Rig) -> None:
    invited = await rig.invite(**EVE)
    (by_mail,) = await letters(rig, "invitation")
    assert by_mail != invited["token"]
    assert await opens(rig, invited["token"])
    assert await opens(rig, by_mail)
    listed = await rig.owner.http.get(f"{rig.path}/invitations")
    assert [item["email"] for item in listed.json()["items"]] == ["eve@example.org"]
    for secret in ("token", "hash", "take_"):
        assert secret not in listed.text


async def test_the_letter_tells_the_assessments_name_with_its_punctuation(rig: Rig) -> None:
    name = "ML engineer, mid-level (C++)"
    body = {"name": name, "plan": plan_of()}
    made = (await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json=body)).json()
    rig.assessment = made["id"]
    assert (await rig.owner.http.post(f"{rig.path}/open")).status_code == 200
    await rig.invite(**EVE)
    async with rig.service.state.db.write() as session:
        letter = (await session.scalars(select(OutboxMail).where(OutboxMail.kind == "invitation"))).one()
        content = await MAIL_TEMPLATES["invitation"](session, letter, "http://here")
    assert content is not None
    assert content.subject == f"Invitation: {name}"
    assert f"“{name}”" in content.paragraphs[0]


async def test_a_link_without_an_address_writes_to_nobody(rig: Rig) -> None:
    invited = await rig.invite()
    assert (invited["email"], invited["sent_at"]) == ("", None)
    assert await letters(rig, "invitation") == []
    assert await opens(rig, invited["token"])
    assert code_of(await do(rig, invited, "remind")) == (409, "no_address")


async def test_without_a_mail_server_no_email_is_claimed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig_in(home, monkeypatch, poll_s=60) as rig:
        await rig.assess()
        invited = await rig.invite(**EVE)
        assert invited["sent_at"] is None
        again = await do(rig, invited, "resend")
        assert (again.status_code, again.json()["sent_at"]) == (200, None)
        assert await opens(rig, again.json()["link"].rpartition("/")[2])
        assert code_of(await do(rig, invited, "remind")) == (409, "no_mail_server")
        headers = {"Content-Type": "text/csv"}
        sheet = await rig.owner.http.post(
            f"{rig.path}/invitations/csv", content=b"email\nbob@example.org\n", headers=headers
        )
        assert sheet.json()["items"][0]["sent_at"] is None
        assert await letters(rig, "invitation") == []
        listed = (await rig.owner.http.get(f"{rig.path}/invitations")).json()
        assert listed["sends_mail"] is False


async def test_the_list_says_that_the_site_sends_mail(rig: Rig) -> None:
    assert (await rig.invite(**EVE))["sent_at"] is not None
    assert (await rig.owner.http.get(f"{rig.path}/invitations")).json()["sends_mail"] is True


async def test_sending_again_makes_earlier_links_worthless_and_reminding_does_not(rig: Rig) -> None:
    invited = await rig.invite(**EVE)
    assert (await do(rig, invited, "resend")).status_code == 429
    await long_ago(rig)
    again = await do(rig, invited, "resend")
    fresh = again.json()["link"].rpartition("/")[2]
    assert [await opens(rig, token) for token in (invited["token"], fresh)] == [False, True]
    await long_ago(rig)
    assert (await do(rig, invited, "remind")).status_code == 200
    (reminder,) = await letters(rig, "reminder")
    assert [await opens(rig, token) for token in (fresh, reminder)] == [True, True]
    assert (await do(rig, invited, "remind")).status_code == 429


async def test_what_is_revoked_or_expired_opens_nothing_and_what_was_started_goes_on(rig: Rig) -> None:
    revoked, started, expired = await rig.invite(**EVE), await rig.invite(), await rig.invite()
    taker = await rig.start(started["token"])
    for one in (revoked, started):
        assert (await do(rig, one, "revoke")).json()["state"] == "revoked"
        assert (await do(rig, one, "revoke")).status_code == 200
    assert code_of(await rig.service.client().get(f"/api/take/{revoked['token']}")) == (410, "invitation_over")
    assert code_of(await taker.start(revoked["token"])) == (410, "invitation_over")
    assert (await taker.state())["finished_at"] is None
    assert await rig.start(started["token"])
    assert (await rig.invite(**EVE))["state"] == "open", "a revoked address may be invited anew"
    rig.clock.go(days=15)
    assert code_of(await taker.start(expired["token"])) == (410, "invitation_over")
    for verb in ("resend", "remind"):
        assert code_of(await do(rig, revoked, verb)) == (409, "invitation_closed")


async def test_everybody_is_reminded_once_on_the_last_day(rig: Rig) -> None:
    await rig.invite(**EVE)
    await rig.invite(email="bob@example.org")
    await rig.start((await rig.invite(email="used@example.org"))["token"])
    days = timedelta(days=13, hours=2)
    assert await deadline_sweeper.remind(rig.service.state.db) == 0
    await long_ago(rig, created_at=now() - days, expires_at=now() + timedelta(hours=22))
    assert [await deadline_sweeper.remind(rig.service.state.db) for _ in range(2)] == [2, 0]
    assert len(await letters(rig, "reminder")) == 2


async def test_doubles_are_named_and_nobody_is_invited(rig: Rig) -> None:
    await rig.invite(**EVE)
    people = [{"email": "bob@example.org"}, {"email": "Eve@Example.org"}, {"email": "BOB@example.org"}, {}, {}]
    answer = await rig.owner.http.post(f"{rig.path}/invitations", json={"people": people})
    assert code_of(answer) == (409, "invited_already")
    assert [item["field"] for item in answer.json()["fields"]] == ["people.1.email", "people.2.email"]
    assert await rig.count(Invitation) == 1


async def test_an_address_that_is_none_is_named_by_its_place(rig: Rig) -> None:
    answer = await rig.owner.http.post(f"{rig.path}/invitations", json={"people": [EVE, {"email": "nobody"}]})
    assert code_of(answer) == (422, "invalid_input")
    assert [item["field"] for item in answer.json()["fields"]] == ["people.1.email"]
    assert await rig.count(Invitation) == 0


async def test_a_list_is_taken_whole_or_not_at_all(rig: Rig) -> None:
    async def upload(text: str) -> httpx.Response:
        headers = {"Content-Type": "text/csv"}
        return await rig.owner.http.post(f"{rig.path}/invitations/csv", content=text.encode(), headers=headers)

    bad = await upload("email,name,extra_minutes\nbob@example.org,Bob,15\nnobody,X,0\n\neve@example.org,Eve,many\n")
    assert code_of(bad) == (422, "bad_sheet")
    assert [item["field"] for item in bad.json()["fields"]] == ["line 3", "line 5"]
    assert await rig.count(Invitation) == 0
    good = await upload('\ufeffname;email\nBob;bob@example.org\n"Müller; Eve";EVE@example.org\n')
    assert good.status_code == 201, good.text
    assert [(item["email"], item["name"]) for item in good.json()["items"]] == [
        ("bob@example.org", "Bob"), ("eve@example.org", "Müller; Eve"),
    ]  # fmt: skip
    assert code_of(await upload("email\nbob@example.org\n")) == (409, "invited_already")
    longer = await upload("email,time_percent\ncyd@example.org,150\ndan@example.org,\n")
    assert [item["time_percent"] for item in longer.json()["items"]] == [150, 100]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"email\n", b"name\nEve\n", b"email,email\na@example.org,b@example.org\n", b"email\n\xff\n", b'email\n"a\n',
        b"email,shoe\na@example.org,9\n", b"email\n" + b"".join(b"p%d@example.org\n" % n for n in range(501)),
        b"email,extra_minutes\na@example.org,1441\n", b"email,time_percent\na@example.org,3\n",
        b"email,name\na@example.org\n", b"email\na\x00b@example.org\n",
    ],
)  # fmt: skip
async def test_strange_lists_are_refused_with_a_sentence(body: bytes) -> None:
    with pytest.raises(BadSheet) as refused:
        read(body)
    assert re.search(r"[A-Za-z].*\.$", refused.value.message)


async def test_only_an_open_assessment_has_invitations_and_they_are_bounded(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST", 2)
    await rig.invite()
    answer = await rig.owner.http.post(f"{rig.path}/invitations", json={"people": [{}, {}]})
    assert code_of(answer) == (409, "too_many_invitations")
    monkeypatch.setattr(service, "MAILS_A_DAY", 0)
    assert (await rig.owner.http.post(f"{rig.path}/invitations", json={"people": [EVE]})).status_code == 429
    await rig.owner.http.post(f"{rig.path}/archive")
    assert code_of(await rig.owner.http.post(f"{rig.path}/invitations", json={"people": [{}]})) == (
        409, "assessment_not_open",
    )  # fmt: skip


async def test_the_list_is_searched_and_narrowed(rig: Rig) -> None:
    async def found(**wanted: str) -> list[str]:
        answer = await rig.owner.http.get(f"{rig.path}/invitations", params=wanted)
        assert answer.status_code == 200, answer.text
        return [item["name"] for item in answer.json()["items"]]

    for name in ("Eve Stone", "Bob_Hill", "Cyd", "Dan"):
        await rig.invite(email=f"{name.split()[0].lower()}@example.org", name=name)
    await rig.start((await rig.invite(name="Link"))["token"])
    listed = (await rig.owner.http.get(f"{rig.path}/invitations")).json()["items"]
    assert (await do(rig, next(item for item in listed if item["name"] == "Dan"), "revoke")).status_code == 200
    async with rig.service.state.db.write() as session:
        await session.execute(
            update(Invitation).where(Invitation.name == "Cyd").values(expires_at=now() - timedelta(seconds=1))
        )
    assert await found(q=" stone ") == ["Eve Stone"]
    assert await found(q="_") == ["Bob_Hill"], "an underline stands for itself"
    assert await found(q="EXAMPLE.org", state="open") == ["Bob_Hill", "Eve Stone"]
    by_state = {state: await found(state=state) for state in ("open", "used", "expired", "revoked")}
    assert by_state == {"open": ["Bob_Hill", "Eve Stone"], "used": ["Link"], "expired": ["Cyd"], "revoked": ["Dan"]}
    told = (await rig.owner.http.get(f"{rig.path}/invitations")).json()["items"]
    assert {item["name"]: item["state"] for item in told} == {
        name: state for state, names in by_state.items() for name in names
    }
