"""Tests that webhooks are delivered in order, signed, retried, switched off after failures, and invisible to other teams."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from api.hiring.participations.deadline_sweeper import record_judged
from api.hiring.webhooks import events, sender
from api.hiring.webhooks import service as rules
from api.hiring.webhooks.models import TeamEvent, Webhook, WebhookDelivery
from api.hiring.webhooks.sender import WebhookSender
from api.identity.mail.models import OutboxMail
from api.judging.submissions.models import Judging
from api.kit.db.database import now
from tests.api.hiring.taking_rig import Rig, code_of, rig_in
from tests.api.hiring.webhooks.webhooks_rig import EVERYTHING, Receiver, receiver
from tests.api.running_service import WITHIN_S

pytestmark = pytest.mark.anyio
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment, on a service that is allowed to send requests to this machine."""
    async with rig_in(home, monkeypatch, webhooks_private=True) as rig:
        await rig.assess()
        yield rig


@pytest.fixture
async def ear() -> AsyncIterator[Receiver]:
    """A server that receives webhooks."""
    async with receiver() as one:
        yield one


async def hook(rig: Rig, ear: Receiver, **more: Any) -> dict[str, Any]:
    """Create a webhook that points to the receiver. Return the webhook with its secret."""
    body = {"url": f"http://127.0.0.1:{ear.port}/gradus?x=1", "events": EVERYTHING, **more}
    made = await rig.owner.http.post(f"/api/teams/{rig.team}/webhooks", json=body)
    assert made.status_code == 201, made.text
    told: dict[str, Any] = made.json()
    return told


def path(rig: Rig, made: dict[str, Any]) -> str:
    return f"/api/teams/{rig.team}/webhooks/{made['id']}"


async def log(rig: Rig, made: dict[str, Any], status: str, count: int = 1) -> list[dict[str, Any]]:
    """Wait until this many deliveries have this status. Return the delivery log."""
    async with asyncio.timeout(WITHIN_S):
        while True:
            items: list[dict[str, Any]] = (await rig.owner.http.get(f"{path(rig, made)}/deliveries")).json()["items"]
            if sum(item["status"] == status for item in items) == count:
                return items
            await asyncio.sleep(0.02)


async def overdue(rig: Rig) -> None:
    """Make all waiting deliveries due now."""
    async with rig.service.state.db.write() as session:
        await session.execute(update(WebhookDelivery).values(next_at=now()))


async def test_a_team_is_told_signed_and_in_order_what_happens(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear)
    invited = await rig.invite(email="eve@example.org", name="Eve Example")
    taker = await rig.start(invited["token"])
    started = await ear.wait_for(1)
    await taker.open()
    sent = (await taker.send(RIGHT)).json()["id"]
    await taker.http.post("/api/participation/finish")
    finished = await ear.wait_for(2)
    await record_judged(rig.service.state.db)
    assert await rig.count(TeamEvent) == 2, "an answer is not judged yet"
    async with rig.service.state.db.write() as session:
        judged = update(Judging).where(Judging.submission_id == sent)
        await session.execute(judged.values(status="judged", verdict="AC", score=4, max_score=4))
    for _ in range(2):
        await record_judged(rig.service.state.db)
    told = [started, finished, await ear.wait_for(3)]
    assert [one.told["type"] for one in told] == EVERYTHING
    assert all(one.signed_by(made["secret"]) for one in told)
    assert len({one.headers["webhook-id"] for one in told}) == 3
    data, run = told[2].told["data"], (await rig.watched())[0]
    assert (data["invitation_id"], data["participation_id"]) == (invited["id"], run["id"])
    assert data["report"].endswith(f"/assessments/{rig.assessment}/people/{run['id']}")
    assert not any(word in one.body for one in told for word in ("Eve", "eve@", "add_one")), "ids and links only"
    lines = await log(rig, made, "sent", 3)
    assert [(line["kind"], line["code"], line["attempts"], line["answer"]) for line in lines] == [
        (kind, 204, 1, "") for kind in reversed(EVERYTHING)
    ]
    assert await rig.count(TeamEvent) == 3, "each is told once"


async def test_quiet_about_what_was_not_asked_for_and_in_other_teams(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear, events=["participation.finished", "participation.finished"])
    assert made["events"] == ["participation.finished"]
    other = (await rig.owner.http.post("/api/teams", json={"name": "Others"})).json()["id"]
    theirs = {"url": f"http://127.0.0.1:{ear.port}/others", "events": EVERYTHING}
    assert (await rig.owner.http.post(f"/api/teams/{other}/webhooks", json=theirs)).status_code == 201
    taker = await rig.start((await rig.invite())["token"])
    await taker.http.post("/api/participation/finish")
    assert (await ear.wait_for(1)).told["type"] == "participation.finished"
    assert await rig.count(WebhookDelivery) == 1


async def test_what_failed_comes_again_later_with_the_same_id(rig: Rig, ear: Receiver) -> None:
    ear.answers = [
        "500 Broken\r\nContent-Length: 3\r\n\r\nsad",
        "302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
        "",
    ]
    made = await hook(rig, ear)
    await rig.start((await rig.invite())["token"])
    for attempt, told in (
        (1, "The receiver answered 500."),
        (2, "Redirects are not followed"),
        (3, "RemoteProtocolError"),
    ):
        await ear.wait_for(attempt)
        async with asyncio.timeout(WITHIN_S):
            while told not in (line := (await log(rig, made, "queued"))[0])["error"]:
                await asyncio.sleep(0.02)
        assert (line["attempts"], line["answer"]) == (attempt, ""), "what a private address answers is not shown"
        await overdue(rig)
    assert ear.messages[3:] or await ear.wait_for(4)
    assert len({message.headers["webhook-id"] for message in ear.messages}) == 1
    assert len({message.body for message in ear.messages}) == 1
    (line,) = await log(rig, made, "sent")
    assert (line["message_id"], line["error"]) == (ear.messages[0].headers["webhook-id"], "")
    shown = (await rig.owner.http.get(f"/api/teams/{rig.team}/webhooks")).json()["items"][0]
    assert shown["state"] == "on", "it was heard at last"


def test_the_attempts_are_spread_over_about_a_day() -> None:
    assert 22 * 3600 < sum(sender.PAUSES_S) < 26 * 3600
    tries = {sender._pause_s(3) for _ in range(50)}
    assert len(tries) > 40
    assert 240 <= min(tries) <= max(tries) <= 360


async def test_after_the_last_attempt_it_is_a_failure_that_can_be_sent_again(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear)
    ear.answers = ["503 No\r\n\r\n"]
    await rig.owner.http.post(f"{path(rig, made)}/test")
    await ear.wait_for(1)
    (line,) = await log(rig, made, "queued")
    again = f"{path(rig, made)}/deliveries/{line['id']}/again"
    assert code_of(await rig.owner.http.post(again)) == (409, "still_queued")
    ear.answers = ["503 No\r\n\r\n"]
    async with rig.service.state.db.write() as session:
        await session.execute(update(WebhookDelivery).values(attempts=len(sender.PAUSES_S), next_at=now()))
    await log(rig, made, "failed")
    assert (await rig.owner.http.post(again)).json()["status"] == "queued"
    (line,) = await log(rig, made, "sent")
    assert line["attempts"] == 1
    assert len({message.headers["webhook-id"] for message in ear.messages}) == 1


async def test_a_decision_is_told_and_taken_back(rig: Rig, ear: Receiver) -> None:
    await hook(rig, ear, events=["decision.made"])
    await rig.start((await rig.invite(name="Eve Example"))["token"])
    run = (await rig.watched())[0]["id"]
    seen = None
    for decision in ("advance", "none"):
        body = {"decision": decision, "reason": "Clear thinking.", "seen": seen}
        made = await rig.owner.http.post(f"{rig.path}/participations/{run}/decisions", json=body)
        assert made.status_code == 201, made.text
        seen = made.json()["decisions"][0]["id"]
    late = await rig.owner.http.post(f"{rig.path}/participations/{run}/decisions", json={**body, "seen": None})
    assert code_of(late) == (409, "changed_meanwhile")
    told = [await ear.wait_for(number) for number in (1, 2)]
    assert [(one.told["type"], one.told["data"]["participation_id"]) for one in told] == [("decision.made", run)] * 2
    assert not any(word in one.body for one in told for word in ("Clear", "advance", "Eve")), "ids and links only"
    assert await rig.count(TeamEvent) == 3, "what was refused is not told"


async def test_a_test_says_that_it_is_one_and_tests_are_few(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear, events=["participation.judged"])
    codes = [(await rig.owner.http.post(f"{path(rig, made)}/test")).status_code for _ in range(11)]
    assert codes == [201] * 10 + [429]
    assert (await ear.wait_for(1)).told["type"] == "test"


async def test_for_a_day_both_secrets_sign(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear)
    newer = (await rig.owner.http.post(f"{path(rig, made)}/secret")).json()
    assert newer["secret"] != made["secret"]
    assert newer["secret"].startswith("whsec_")
    await rig.owner.http.post(f"{path(rig, made)}/test")
    message = await ear.wait_for(1)
    assert message.signed_by(made["secret"])
    assert message.signed_by(newer["secret"])
    assert not message.signed_by("whsec_" + "A" * 44)
    async with rig.service.state.db.write() as session:
        await session.execute(update(Webhook).values(rotated_at=now() - timedelta(days=1, seconds=1)))
    await rig.owner.http.post(f"{path(rig, made)}/test")
    message = await ear.wait_for(2)
    assert [message.signed_by(one["secret"]) for one in (made, newer)] == [False, True]
    assert "secret" not in (await rig.owner.http.get(f"/api/teams/{rig.team}/webhooks")).text.replace("secret_", "")


@pytest.mark.parametrize("way", ["days", "gone"])
async def test_where_nobody_listens_it_is_switched_off_and_owners_are_written_to(
    rig: Rig, ear: Receiver, way: str
) -> None:
    made = await hook(rig, ear)
    ear.answers = ["410 Gone\r\n\r\n" if way == "gone" else "500 Broken\r\n\r\n"]
    if way == "days":
        async with rig.service.state.db.write() as session:
            await session.execute(update(Webhook).values(failing_since=now() - rules.PATIENCE))
    await rig.start((await rig.invite())["token"])
    await rig.start((await rig.invite())["token"])
    lines = await log(rig, made, "failed", 2)
    assert rules.GIVEN_UP in [line["error"] for line in lines]
    assert code_of(await rig.owner.http.post(f"{path(rig, made)}/test")) == (409, "webhook_off")
    async with rig.service.state.db.read() as session:
        letters = [
            row.address for row in await session.scalars(select(OutboxMail).where(OutboxMail.kind == rules.MAIL_KIND))
        ]
    assert letters == [rig.owner.email]
    body = {"url": f"http://127.0.0.1:{ear.port}/", "events": EVERYTHING, "on": True}
    assert (await rig.owner.http.put(path(rig, made), json=body)).json()["state"] == "on"
    await rig.owner.http.post(f"{path(rig, made)}/test")
    await log(rig, made, "sent")


async def test_what_is_off_is_not_told_and_nothing_waits_for_ever(
    rig: Rig, ear: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await hook(rig, ear)
    body = {"url": made["url"], "events": EVERYTHING, "on": False}
    assert (await rig.owner.http.put(path(rig, made), json=body)).json()["state"] == "off"
    await rig.start((await rig.invite())["token"])
    assert await rig.count(WebhookDelivery) == 0
    assert (await rig.owner.http.put(path(rig, made), json={**body, "on": True})).status_code == 200
    monkeypatch.setattr(events, "WAITING", 0)
    await rig.start((await rig.invite())["token"])
    (line,) = await log(rig, made, "failed")
    assert "waited already" in line["error"]


async def test_whoever_is_erased_is_not_told_of_any_more(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear)
    await rig.start((await rig.invite())["token"])
    await log(rig, made, "sent")
    one = (await rig.watched())[0]["id"]
    assert (await rig.owner.http.delete(f"{rig.path}/participations/{one}")).status_code == 204
    assert (await rig.count(TeamEvent), await rig.count(WebhookDelivery)) == (0, 0)


async def test_a_deaf_receiver_keeps_nobody_else_waiting(rig: Rig, ear: Receiver) -> None:
    heard = asyncio.Event()

    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await heard.wait()
        writer.close()

    deaf = await asyncio.start_server(never, "127.0.0.1", 0)
    try:
        await hook(rig, Receiver(deaf.sockets[0].getsockname()[1]))
        await hook(rig, ear)
        await rig.start((await rig.invite())["token"])
        async with asyncio.timeout(5):
            await ear.wait_for(1)
    finally:
        heard.set()
        deaf.close()
        await asyncio.sleep(0.05)


async def test_webhooks_are_few_and_lead_nowhere_they_should_not(rig: Rig, ear: Receiver) -> None:
    made = [await hook(rig, ear) for _ in range(rules.WEBHOOKS)]
    full = await rig.owner.http.post(
        f"/api/teams/{rig.team}/webhooks", json={"url": made[0]["url"], "events": EVERYTHING}
    )
    assert code_of(full) == (409, "too_many_webhooks")
    bad = await rig.owner.http.put(
        path(rig, made[0]), json={"url": "ftp://x.example/", "events": EVERYTHING, "on": True}
    )
    assert code_of(bad) == (422, "address_refused")
    assert bad.json()["fields"][0]["field"] == "url"


async def test_old_lines_of_the_log_go(rig: Rig, ear: Receiver) -> None:
    made = await hook(rig, ear)
    await rig.owner.http.post(f"{path(rig, made)}/test")
    await log(rig, made, "sent")
    async with rig.service.state.db.write() as session:
        await session.execute(update(WebhookDelivery).values(ended_at=now() - sender.KEPT))
    await WebhookSender(rig.service.settings, rig.service.state.db)._sweep()
    assert await rig.count(WebhookDelivery) == 0
