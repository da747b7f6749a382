"""Tests the links in emails: registering, verifying, changing the address, and resetting the password. Also tests that no
response reveals whether an address has an account.
"""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from api.identity.accounts.models import Account, OneTimeLink
from api.identity.mail.models import OutboxMail
from api.kit.db.database import now
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE, WITHIN_S, Service, running, settings_in
from tests.mailbox import Mailbox, link_in

pytestmark = pytest.mark.anyio
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}
NEW = "another password"


@pytest.fixture
async def posting(home: Path, box: Mailbox) -> AsyncIterator[Service]:
    """A service that sends emails."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, smtp_url=box.url)) as service:
        yield service


async def token_to(box: Mailbox, address: str, count: int = 1) -> str:
    return link_in(await asyncio.to_thread(box.wait_for, address, count))[1]


async def settled(service: Service) -> None:
    """Wait until no email in the outbox is queued."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            async with service.state.db.read() as session:
                if await session.scalar(select(OutboxMail.id).where(OutboxMail.status == "queued").limit(1)) is None:
                    return
            await asyncio.sleep(0.02)


async def post(client: httpx.AsyncClient, path: str, **body: Any) -> httpx.Response:
    return await client.post(f"/api/{path}", json=body)


async def ada_of(service: Service, box: Mailbox) -> httpx.AsyncClient:
    """Register Ada and confirm her account. Return the client with which she is signed in."""
    client = service.client()
    assert (await post(client, "accounts", **ADA)).status_code == 202
    token = await token_to(box, ADA["email"])
    answer = await post(client, "accounts/confirm", token=token, password=ADA["password"])
    assert answer.status_code == 201, answer.text
    return client


async def test_registering_by_mail_keeps_the_guests_work(posting: Service, box: Mailbox) -> None:
    client = posting.client()
    await post(client, "guest")
    sent = (await post(client, "submissions", slug="add-one", kind="submit", source=SOURCE)).json()["id"]
    assert (await post(client, "accounts", **ADA)).json() == {"email": ADA["email"], "by": "email"}
    assert (await client.get("/api/me")).json()["role"] == "guest", "the address is not proven yet"
    token = await token_to(box, ADA["email"])
    wrong = await post(client, "accounts/confirm", token=token, password="not this one")
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_credentials")
    made = (await post(client, "accounts/confirm", token=token, password=ADA["password"])).json()
    assert (made["role"], made["email_verified"], made["name"]) == ("account", True, "Ada")
    assert (await client.get(f"/api/submissions/{sent}")).status_code == 200
    again = await post(posting.client(), "accounts/confirm", token=token, password=ADA["password"])
    assert (again.status_code, again.json()["code"]) == (410, "bad_link")


async def test_nobody_learns_by_asking_who_has_an_account(posting: Service, box: Mailbox) -> None:
    await ada_of(posting, box)
    for path, body in (("accounts", {**ADA, "password": "a guess of mine"}), ("password/forgotten", {})):
        answers = [
            await post(posting.client(), path, **{**body, "email": email}) for email in (ADA["email"], "b@example.org")
        ]
        known, unknown = answers
        assert known.status_code == unknown.status_code == 202
        assert known.text.replace("ada@", "b@") == unknown.text
        assert known.headers.keys() == unknown.headers.keys()
    await settled(posting)
    subjects = [str(letter["Subject"]) for letter in box.to(ADA["email"])]
    assert subjects == ["Verify your email address", "You already have an account", "Reset your password"]
    assert [str(letter["Subject"]) for letter in box.to("b@example.org")] == ["Verify your email address"]
    async with posting.state.db.read() as session:
        assert (
            await session.scalar(
                select(OutboxMail.id).where(OutboxMail.kind == "reset", OutboxMail.account_id.is_(None))
            )
            is None
        )


async def test_new_password_by_mail_ends_every_session_and_token(posting: Service, box: Mailbox) -> None:
    ada = await ada_of(posting, box)
    bearer = (await post(ada, "me/tokens", name="laptop")).json()["token"]
    stranger = posting.client()
    await post(stranger, "password/forgotten", email=ADA["email"])
    token = await token_to(box, ADA["email"], 2)
    assert (await post(stranger, "password/reset", token=token, password="short")).status_code == 422
    assert (await post(stranger, "password/reset", token=token, password=NEW)).status_code == 204
    assert (await ada.get("/api/me")).json() is None
    by_token = posting.client(headers={"Authorization": f"Bearer {bearer}"})
    assert (await by_token.get("/api/me")).status_code == 401
    assert (await post(stranger, "session", email=ADA["email"], password=ADA["password"])).status_code == 401
    assert (await post(stranger, "session", email=ADA["email"], password=NEW)).status_code == 200
    assert (await post(stranger, "password/reset", token=token, password=NEW)).status_code == 410
    told = await asyncio.to_thread(box.wait_for, ADA["email"], 3)
    assert told["Subject"] == "Your password was changed"


async def test_links_are_good_for_one_purpose_and_for_a_while(posting: Service, box: Mailbox) -> None:
    await ada_of(posting, box)
    client = posting.client()
    await post(client, "password/forgotten", email=ADA["email"])
    token = await token_to(box, ADA["email"], 2)
    assert (await post(client, "email/confirm", token=token)).status_code == 410
    assert (await post(client, "accounts/confirm", token=token, password=NEW)).status_code == 410
    async with posting.state.db.write() as session:
        stored = await session.scalar(select(OneTimeLink.token_hash))
        assert stored is not None
        assert token not in stored
        await session.execute(update(OneTimeLink).values(expires_at=now() - timedelta(seconds=1)))
    assert (await post(client, "password/reset", token=token, password=NEW)).status_code == 410


async def test_link_is_used_once_even_by_two_at_the_same_moment(posting: Service, box: Mailbox) -> None:
    await ada_of(posting, box)
    await post(posting.client(), "password/forgotten", email=ADA["email"])
    token = await token_to(box, ADA["email"], 2)
    both = [post(posting.client(), "password/reset", token=token, password=f"{NEW} {number}") for number in range(2)]
    answers = await asyncio.gather(*both)
    assert sorted(answer.status_code for answer in answers) == [204, 410]


async def test_letters_to_one_address_are_few(posting: Service, box: Mailbox) -> None:
    for email in ("nobody@example.org", "eve@example.org"):
        codes = [(await post(posting.client(), "password/forgotten", email=email)).status_code for _ in range(6)]
        assert codes == [202] * 5 + [429]


async def test_moving_to_another_address_asks_both(posting: Service, box: Mailbox) -> None:
    ada = await ada_of(posting, box)
    wrong = await post(ada, "me/email", email="ada@new.example", password="not this one")
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_credentials")
    right = {"email": "ada@new.example", "password": ADA["password"]}
    assert (await post(ada, "me/email", **right)).status_code == 202
    token = await token_to(box, "ada@new.example")
    assert (await ada.get("/api/me")).json()["email"] == ADA["email"], "nothing is proven yet"
    assert (await post(posting.client(), "email/confirm", token=token)).json() == {"email": "ada@new.example"}
    assert (await ada.get("/api/me")).json()["email"] == "ada@new.example"
    told = await asyncio.to_thread(box.wait_for, ADA["email"], 2)
    assert told["Subject"] == "Your email address was changed"


async def test_nobody_moves_to_an_address_that_another_has(posting: Service, box: Mailbox) -> None:
    ada = await ada_of(posting, box)
    bob = posting.client()
    await post(bob, "accounts", **{**ADA, "email": "bob@example.org"})
    await post(ada, "me/email", email="bob@example.org", password=ADA["password"])
    token = await token_to(box, "bob@example.org")
    change = (await asyncio.to_thread(box.wait_for, "bob@example.org", 2))["Subject"]
    assert change == "Confirm your new email address"
    made = await post(bob, "accounts/confirm", token=token, password=ADA["password"])
    assert made.status_code == 201
    moved = link_in(box.to("bob@example.org")[1])[1]
    assert (await post(ada, "email/confirm", token=moved)).status_code in (409, 410)
    await post(ada, "me/email", email="bob@example.org", password=ADA["password"])
    told = await asyncio.to_thread(box.wait_for, "bob@example.org", 3)
    assert told["Subject"] == "You already have an account"


async def test_without_letters_that_leave_an_unverified_account_may_do_everything(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        ada = await service.person()
        assert (await ada.http.get("/api/me")).json()["email_verified"] is False
        assert (await ada.send())["status"] == "queued"
        assert (await ada.http.post("/api/me/email/letter")).status_code == 202


async def test_resetting_drives_out_who_registered_with_the_address_first(
    home: Path, box: Mailbox, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(settings_in(home)) as service:
        intruder = await service.person()
        bearer = (await post(intruder.http, "me/tokens", name="t")).json()["token"]
        await post(service.client(), "password/forgotten", email=ADA["email"])
        await settled(service)
        token = capsys.readouterr().out.partition("/reset#")[2].split()[0]
        assert (await post(service.client(), "password/reset", token=token, password=NEW)).status_code == 204
        assert (await intruder.http.get("/api/me")).json() is None
        stolen = service.client(headers={"Authorization": f"Bearer {bearer}"})
        assert (await stolen.get("/api/me")).status_code == 401
        async with service.state.db.read() as session:
            assert (await session.scalars(select(Account))).one().email_verified
