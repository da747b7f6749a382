"""Tests what a team adds to the emails to its candidates: the message, the reply address and the logo, in the preview and in the
email that arrives. Links, files that are not images, and other people's addresses are refused.
"""

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from pydantic import SecretStr
from sqlalchemy import select, update

from api.hiring.teams.models import TeamMember
from api.identity.accounts.models import Account
from api.identity.mail.models import OutboxMail
from api.identity.mail.transports import transport_of
from api.kit.db.database import now
from api.ops.wiring import MAIL_TEMPLATES
from api.settings import Settings
from tests.api.hiring.taking_rig import Rig, rig_in
from tests.mailbox import Mailbox, text_of

pytestmark = pytest.mark.anyio
MESSAGE = "Thank you for applying, <b>Eve</b>.\n\nQuestions? Reply to this email."


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment. Emails stay in the outbox until a test sends them."""
    async with rig_in(home, monkeypatch, poll_s=60) as rig:
        await rig.assess()
        yield rig


async def invite_by_email(rig: Rig) -> None:
    """Queue an invitation, as on a site that sends email."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Settings, "sends_mail", True)
        await rig.invite(email="eve@example.org")


async def arrived(rig: Rig, box: Mailbox) -> EmailMessage:
    """Send the queued invitation through a mail server. Return what arrives."""
    async with rig.service.state.db.write() as session:
        mail = (await session.scalars(select(OutboxMail).where(OutboxMail.kind == "invitation"))).one()
        content = await MAIL_TEMPLATES["invitation"](session, mail, "http://here")
    assert content is not None
    send = transport_of(rig.service.settings.model_copy(update={"smtp_url": SecretStr(box.url)}))
    await send(content, "eve@example.org")
    return await asyncio.to_thread(box.wait_for, "eve@example.org")


def image(width: int = 600, height: int = 300, kind: str = "PNG") -> str:
    """Return an image with a comment, as a `data:` URL."""
    comment = PngInfo()
    comment.add_text("Comment", "taken at home")
    written = BytesIO()
    Image.new("RGB", (width, height), "navy").save(written, kind, **({"pnginfo": comment} if kind == "PNG" else {}))
    return data_url(written.getvalue(), kind.lower())


def data_url(content: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{b64encode(content).decode()}"


async def save(rig: Rig, **text: Any) -> httpx.Response:
    return await rig.owner.http.put(f"/api/teams/{rig.team}/candidate-mail", json=text)


async def preview(rig: Rig, kind: str = "invitation", **text: Any) -> httpx.Response:
    return await rig.owner.http.post(f"/api/teams/{rig.team}/candidate-mail/preview?kind={kind}", json=text)


async def test_candidates_see_the_logo_before_they_start(rig: Rig) -> None:
    token = (await rig.invite())["token"]
    assert (await rig.service.client().get(f"/api/take/{token}")).json()["logo"] is None
    await save(rig, logo=image())
    shown = (await rig.service.client().get(f"/api/take/{token}")).json()["logo"]
    assert shown == (await rig.owner.http.get(f"/api/teams/{rig.team}/candidate-mail")).json()["logo"]
    assert shown.startswith("data:image/png;base64,")


@pytest.mark.parametrize(
    ("width", "height", "drawn"), [(600, 300, (28, 14)), (1200, 100, (42, 3.5)), (40, 40, (14, 14))]
)
async def test_reports_begin_with_the_logo(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, width: int, height: int, drawn: tuple[float, float]
) -> None:
    given: list[dict[str, Any]] = []
    run = rig.service.state.subprocess_pool.run

    async def seen(program: Path, report: bytes, limit_s: float) -> bytes:
        given.append(json.loads(report))
        return await run(program, report, limit_s)

    monkeypatch.setattr(rig.service.state.subprocess_pool, "run", seen)
    plain = (await rig.owner.http.get(f"{rig.path}/results.pdf")).content
    await save(rig, logo=image(width, height))
    with_logo = (await rig.owner.http.get(f"{rig.path}/results.pdf")).content
    assert (plain.count(b"/Subtype /Image"), with_logo.count(b"/Subtype /Image")) == (0, 1)
    assert (given[0]["logo"], given[1]["logo"]["size"]) == (None, pytest.approx(drawn, abs=0.1))

    taker = await rig.start((await rig.invite())["token"])
    ended = (await taker.http.post("/api/participation/finish")).json()["id"]
    report = (await rig.owner.http.get(f"{rig.path}/participations/{ended}/report.pdf")).content
    shared = await rig.owner.http.post(f"{rig.path}/participations/{ended}/report-links", json={})
    token = shared.json()["link"].rpartition("/report/")[2]
    for_others = (await rig.service.client().get(f"/api/shared-reports/{token}/report.pdf")).content
    assert (report.count(b"/Subtype /Image"), for_others.count(b"/Subtype /Image")) == (1, 1)


async def own_id(rig: Rig, verified: bool = True) -> str:
    """Return the account ID of the team's owner, whose address becomes verified or not."""
    account: str = (await rig.owner.http.get("/api/me")).json()["id"]
    async with rig.service.state.db.write() as session:
        await session.execute(update(Account).values(email_verified_at=now() if verified else None))
    return account


async def test_the_email_that_arrives_carries_the_message_the_reply_address_and_the_logo(
    rig: Rig, box: Mailbox
) -> None:
    owner = await own_id(rig)
    saved = await save(rig, message=MESSAGE, reply_to=owner, logo=image())
    assert saved.status_code == 200, saved.text
    await invite_by_email(rig)
    letter = await arrived(rig, box)
    address = (await rig.owner.http.get("/api/me")).json()["email"]
    assert letter["Reply-To"] == address
    text = text_of(letter).replace("\r\n", "\n")
    assert "The team “Tensor people” writes:\n\n> Thank you for applying, <b>Eve</b>." in text
    html = text_of(letter, "html")
    assert "&lt;b&gt;Eve&lt;/b&gt;" in html
    assert '<img src="cid:logo@gradus" alt="Tensor people"' in html
    (logo,) = [part for part in letter.walk() if isinstance(part, EmailMessage) and "image" in part.get_content_type()]
    assert logo["Content-ID"] == "<logo@gradus>"
    with Image.open(BytesIO(logo.get_content())) as shown:
        assert (shown.size, shown.info) == ((320, 160), {}), "smaller, and without the comment"


async def test_without_anything_saved_emails_stay_as_they_were(rig: Rig, box: Mailbox) -> None:
    await invite_by_email(rig)
    letter = await arrived(rig, box)
    assert letter["Reply-To"] is None
    assert "writes:" not in text_of(letter)
    assert [part.get_content_type() for part in letter.walk()][1:] == ["text/plain", "text/html"]


@pytest.mark.parametrize("kind", ["invitation", "reminder"])
async def test_the_preview_shows_what_is_not_saved_and_saves_nothing(rig: Rig, kind: str) -> None:
    owner = await own_id(rig)
    shown = (await preview(rig, kind, message=MESSAGE, reply_to=owner, logo=image(kind="JPEG"))).json()
    assert shown["subject"] == f"{kind.capitalize()}: Example assessment"
    assert "Thank you for applying" in shown["html"]
    assert 'src="data:image/png;base64,' in shown["html"]
    assert "@" in shown["reply_to"]
    kept = await rig.owner.http.get(f"/api/teams/{rig.team}/candidate-mail")
    assert kept.json() == {"message": "", "reply_to": None, "logo": None}


async def test_what_was_saved_can_be_saved_again_and_removed(rig: Rig) -> None:
    saved = (await save(rig, message=MESSAGE, logo=image())).json()
    assert (await save(rig, **saved)).json() == saved
    assert (await save(rig)).json() == {"message": "", "reply_to": None, "logo": None}


@pytest.mark.parametrize(
    "message",
    [
        "See https://evil.example/x",
        "See evil.example now",
        "Write to eve@evil",
        "javascript://x",
        "Ende.Weiter geht es",
        "x" * 1001,
    ],
)
async def test_links_and_addresses_are_refused_by_name(rig: Rig, message: str) -> None:
    for answer in (await save(rig, message=message), await preview(rig, message=message)):
        assert answer.status_code == 422
        assert [field["field"] for field in answer.json()["fields"]] == ["message"]


async def test_ordinary_sentences_are_allowed(rig: Rig) -> None:
    message = "Hi! It takes 1.5 hours (e.g. in the morning); bring PyTorch 2.13, and/or tea. Bye."
    assert (await save(rig, message=message)).json()["message"] == message


@pytest.mark.parametrize(
    ("logo", "reason"),
    [
        ("data:image/svg+xml;base64,PHN2Zy8+", "PNG or JPEG"),
        ("https://evil.example/logo.png", "PNG or JPEG"),
        ("data:image/png;base64,%%%", "Base64"),
        (data_url(b"not an image"), "cannot be read"),
        (data_url(b64decode(image().partition(",")[2])[:200]), "cannot be read"),
        (data_url(b"\0" * 600_000), "512 kB"),
        (image(5000, 1000), "pixels"),
    ],
    ids=["svg", "address", "base64", "text", "truncated", "large", "pixels"],
)
async def test_files_that_are_no_logo_are_refused_with_the_reason(rig: Rig, logo: str, reason: str) -> None:
    answer = await save(rig, logo=logo)
    assert answer.status_code == 422, answer.text
    (field,) = answer.json()["fields"]
    assert field["field"] == "logo"
    assert reason in field["message"]


async def test_replies_go_only_to_members_with_a_verified_address(rig: Rig, box: Mailbox) -> None:
    stranger = (await (await rig.service.person("Eve")).http.get("/api/me")).json()["id"]
    owner = await own_id(rig)
    assert (await save(rig, reply_to=stranger)).json()["code"] == "not_a_reply_address"
    await own_id(rig, verified=False)
    assert (await save(rig, reply_to=owner)).json()["code"] == "not_a_reply_address"
    await own_id(rig)
    assert (await save(rig, reply_to=owner)).status_code == 200
    await invite_by_email(rig)
    # The member leaves the team. The email is sent without the address.
    async with rig.service.state.db.write() as session:
        await session.execute(update(TeamMember).values(account_id=stranger))
    assert (await arrived(rig, box))["Reply-To"] is None
