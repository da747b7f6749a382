"""Tests that emails are sent by a real SMTP server or printed to the console, that sending is retried after a failure, and that
no email contains text that another user chose.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from api.identity.mail import outbox
from api.identity.mail.message import Content, as_email, as_html
from api.identity.mail.models import OutboxMail
from api.settings import ConfigurationError, Settings
from tests.api.running_service import WITHIN_S, Service, running, settings_in
from tests.mailbox import Mailbox, link_in, text_of

pytestmark = pytest.mark.anyio
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}
HOSTILE = "<b>Visit https://evil.example</b>"


@pytest.fixture
async def posting(home: Path, box: Mailbox) -> AsyncIterator[Service]:
    """A service that sends emails."""
    more = {"smtp_url": box.url, "mail_retry_s": 0.05, "mail_attempts": 3}
    async with running(settings_in(home, **more)) as service:
        yield service


async def ended(service: Service) -> OutboxMail:
    """Wait until an email was sent or has failed for good. Return it."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            async with service.state.db.read() as session:
                letter = await session.scalar(select(OutboxMail).where(OutboxMail.status != "queued").limit(1))
            if letter is not None:
                return letter
            await asyncio.sleep(0.02)


async def register(service: Service, **more: str) -> None:
    answer = await service.client().post("/api/accounts", json={**ADA, **more})
    assert answer.status_code == 202, answer.text


async def test_letter_has_both_parts_and_its_headers(posting: Service, box: Mailbox) -> None:
    await register(posting)
    letter = await asyncio.to_thread(box.wait_for, ADA["email"])
    assert (letter["To"], letter["Subject"]) == (ADA["email"], "Verify your email address")
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Message-ID"]
    assert letter["Date"]
    page, token = link_in(letter)
    assert page == f"{posting.settings.url}/verify"
    assert f'href="{page}#{token}"' in text_of(letter, "html")


async def test_what_was_sent_is_marked_and_its_data_forgotten(posting: Service, box: Mailbox) -> None:
    await register(posting)
    letter = await ended(posting)
    assert (letter.status, letter.data, letter.attempts) == ("sent", "{}", 1)


async def test_letter_that_cannot_be_delivered_now_is_tried_again(posting: Service, box: Mailbox) -> None:
    box.refusals += ["451 later", "451 later"]
    await register(posting)
    await asyncio.to_thread(box.wait_for, ADA["email"])
    letter = await ended(posting)
    assert (letter.status, letter.attempts, box.asked) == ("sent", 3, 3)


async def test_letter_is_given_up_after_so_many_attempts(posting: Service, box: Mailbox) -> None:
    box.refusals += ["451 later"] * 9
    await register(posting)
    letter = await ended(posting)
    assert (letter.status, letter.attempts, letter.data) == ("failed", 3, "{}")


async def test_address_that_does_not_exist_is_not_tried_again(posting: Service, box: Mailbox) -> None:
    box.refusals += ["550 nobody here"]
    await register(posting)
    letter = await ended(posting)
    assert (letter.status, letter.attempts, letter.error) == ("failed", 1, "Undeliverable: refused with 550")


async def test_service_goes_on_while_no_mail_server_answers(home: Path) -> None:
    async with running(settings_in(home, smtp_url="smtp://127.0.0.1:9", mail_attempts=1)) as service:
        await register(service)
        assert (await ended(service)).status == "failed"
        assert (await service.client().get("/api/health")).status_code == 200


async def test_names_that_strangers_chose_appear_in_no_mail(posting: Service, box: Mailbox) -> None:
    await register(posting, name=HOSTILE)
    letter = await asyncio.to_thread(box.wait_for, ADA["email"])
    assert "evil" not in letter.as_string()


async def test_markup_stays_text_and_headers_cannot_be_forged() -> None:
    content = Content("Hi", (HOSTILE,), 'https://here/#"><script>', "<i>")
    html = as_html(content)
    assert "<b>" not in html
    assert "<script>" not in html
    assert "<i>" not in html
    for address in ("a@example.org\r\nBcc: all@example.org", "a@example.org, b@example.org"):
        with pytest.raises(Exception, match=r"(?i)invalid|address|addr|header|CR"):
            as_email(content, "Gradus <gradus@example.org>", address)
    with pytest.raises(ValueError, match=r"(?i)header|linefeed|newline"):
        as_email(Content("Hi\r\nBcc: all@example.org", ("x",)), "gradus@example.org", "a@example.org")


async def test_without_a_mail_server_the_console_shows_the_mail(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with running(settings_in(home)) as service:
        await service.person()
        assert (await ended(service)).status == "sent"
    told = capsys.readouterr().out
    assert "--- email to ada@example.org: Verify your email address ---" in told
    assert f"{service.settings.url}/verify#verify_" in told


async def test_outbox_is_bounded(home: Path, box: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "WAITING", 2)
    box.refusals += ["451 later"] * 9
    async with running(settings_in(home, smtp_url=box.url)) as service:
        answers = [
            (await service.client().post("/api/password/forgotten", json={"email": f"{name}@example.org"})).status_code
            for name in ("a", "b")
        ]
        for name in ("a", "b"):
            await service.client().post("/api/accounts", json={**ADA, "email": f"new-{name}@example.org"})
        async with service.state.db.read() as session:
            count = await session.scalar(
                select(func.count()).select_from(OutboxMail).where(OutboxMail.status == "queued")
            )
    assert answers == [202, 202]
    assert count is not None
    assert count <= 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"smtp_url": "http://mail.example.org"},
        {"smtp_url": "smtp://"},
        {"mail_from": "nobody"},
        {"mail_from": "Gradus <a b@c>\n"},
    ],
)
async def test_settings_that_cannot_send_are_refused(home: Path, wrong: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="email cannot be sent"):
        settings_in(home, **wrong).check()
    assert isinstance(settings_in(home, smtp_url="smtps://a:b@mail.example.org"), Settings)
