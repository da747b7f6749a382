"""Tests how submissions are accepted: which are refused, which are stored only once, and in which order they are queued."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from grader.contract import transport
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE, Person, Service, running, settings_in

pytestmark = pytest.mark.anyio


async def refused(person: Person, **body: Any) -> tuple[int, str, str]:
    """Send a submission that must be refused. Return the status, code and message of the response."""
    whole = {"slug": "add-one", "kind": "submit", "source": SOURCE, **body}
    # json.dumps escapes lone surrogates, so they reach the service, as from a client that does not check its text.
    content = json.dumps(whole).encode()
    answer = await person.http.post("/api/submissions", content=content, headers={"Content-Type": "application/json"})
    told = answer.json()
    assert told["status"] == answer.status_code
    return answer.status_code, told["code"], told["message"]


async def test_unknown_challenge_is_not_found(service: Service) -> None:
    status, code, _ = await refused(await service.person(), slug="nothing")
    assert (status, code) == (404, "challenge_not_found")


async def test_source_over_the_limit_is_refused_and_the_largest_is_taken(service: Service) -> None:
    ada = await service.person()
    status, code, message = await refused(ada, source="#" * (256 * 1024 + 1))
    assert (status, code) == (413, "source_too_large")
    assert "256 KiB" in message
    assert (await ada.send(source="é" * (128 * 1024)))["status"] == "queued"


async def test_body_over_the_limit_is_refused_before_it_is_read(service: Service) -> None:
    ada = await service.person()

    async def endless() -> Any:
        for _ in range(64):
            yield b" " * 65536

    announced = await ada.http.post("/api/submissions", content=b" " * (2049 * 1024))
    streamed = await ada.http.post("/api/submissions", content=endless(), headers={"Content-Type": "application/json"})
    for answer in (announced, streamed):
        assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("x = 1\ny = '\x00'", "a NUL character at line 2, column 6"),
        ("\ud800", "half a surrogate pair at line 1, column 1"),
        ("a\n\nbb\udc99", "a byte that is not UTF-8 (0x99) at line 3, column 3"),
    ],
)
async def test_text_that_no_file_can_hold_is_refused_with_its_place(service: Service, source: str, told: str) -> None:
    status, code, message = await refused(await service.person(), source=source)
    assert (status, code) == (422, "invalid_input")
    assert message.startswith(f"source: {told}")


async def test_body_that_is_not_utf8_is_refused_with_its_place(service: Service) -> None:
    ada = await service.person()
    body = b'{"slug": "add-one", "kind": "submit", "source": "x = 1\\nname = \xff"}'
    answer = await ada.http.post("/api/submissions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "0xff) at line 2, column 8" in answer.json()["message"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"text"', b"[" * 100_000, b"null", b'{"slug": 1}'])
async def test_malformed_body_is_refused_in_the_one_shape(service: Service, body: bytes) -> None:
    ada = await service.person()
    answer = await ada.http.post("/api/submissions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert {"code", "message", "status"} <= answer.json().keys()


async def test_device_and_samples_are_checked(home: Path) -> None:
    folder = write_challenge(home / "challenges")
    lock = json.loads((folder / "tests.lock").read_text())
    (folder / "tests.lock").write_text(json.dumps({**lock, "tests": lock["tests"][1:]}))
    async with running(settings_in(home)) as service:
        ada = await service.person()
        assert (await refused(ada, device="cuda"))[:2] == (422, "device_not_offered")
        assert (await refused(ada, kind="run"))[:2] == (422, "no_samples")


async def test_same_key_returns_the_same_submission(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    body, headers = {"slug": "add-one", "kind": "submit", "source": SOURCE}, {"Idempotency-Key": "abc"}
    answers = [await ada.http.post("/api/submissions", json=body, headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert answers[0].json()["id"] == answers[1].json()["id"]
    other = await ada.http.post("/api/submissions", json={**body, "source": "x"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    assert (await bob.http.post("/api/submissions", json=body, headers=headers)).status_code == 201


async def test_same_key_sent_many_times_at_once_is_stored_once(service: Service) -> None:
    ada = await service.person()
    body, headers = {"slug": "add-one", "kind": "submit", "source": SOURCE}, {"Idempotency-Key": "abc"}
    answers = await asyncio.gather(*(ada.http.post("/api/submissions", json=body, headers=headers) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_double_click_is_one_submission_until_it_is_finished(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    first, second = await ada.send(), await ada.send()
    assert first["id"] == second["id"]
    assert (await ada.send(kind="run"))["id"] != first["id"]
    await node.ready()
    await node.judge(await node.take())
    await ada.until(first["id"], "judged")
    assert (await ada.send())["id"] != first["id"]


async def test_quota_of_unfinished_submissions(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, unfinished_per_account=2)) as service:
        ada, bob = await service.person("ada"), await service.person("bob")
        first = await ada.send(source="x = 1")
        await ada.send(source="x = 2")
        answer = await ada.http.post("/api/submissions", json={"slug": "add-one", "kind": "run", "source": "x = 3"})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1
        assert (await bob.send())["status"] == "queued"
        await ada.http.post(f"/api/submissions/{first['id']}/cancel")
        assert (await ada.send(source="x = 3"))["status"] == "queued"


async def test_quota_a_minute_and_full_queue(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, submissions_per_minute=2, queue_limit=3)) as service:
        ada, bob = await service.person("ada"), await service.person("bob")
        for number in range(2):
            await ada.send(source=f"x = {number}")
        answer = await ada.http.post("/api/submissions", json={"slug": "add-one", "kind": "run", "source": "x"})
        assert answer.status_code == 429
        assert 50 <= int(answer.headers["retry-after"]) <= 60
        await bob.send(source="x = 1")
        answer = await bob.http.post("/api/submissions", json={"slug": "add-one", "kind": "run", "source": "x"})
        assert "queue is full" in answer.json()["message"]


async def test_many_of_one_account_do_not_hold_up_another(service: Service) -> None:
    ada, bob, node = await service.person("ada"), await service.person("bob"), await service.node()
    for number in range(4):
        await ada.send(source=f"ada {number}")
    await bob.send(source="bob 0")
    order = []
    for _ in range(5):
        await node.ready()
        job = await node.take()
        order.append(job.source)
        await node.judge(job)
    assert order == ["ada 0", "bob 0", "ada 1", "ada 2", "ada 3"]


async def test_long_jobs_do_not_take_the_short_lane(home: Path) -> None:
    write_challenge(home / "challenges", "long-one", cpu_s="60.0")
    write_challenge(home / "challenges", "short-one")
    async with running(settings_in(home)) as service:
        ada, node = await service.person(), await service.node()
        await ada.send("long-one", source="x = 1")
        await ada.send("long-one", source="x = 2")
        await ada.send("short-one")
        await node.ready(short=1, other=1)
        offers = [await node.hear(), await node.hear()]
        lanes = {offer.job.slug: offer.short for offer in offers if isinstance(offer, transport.Offer)}
        assert lanes == {"long-one": False, "short-one": True}
        assert await node.silent()


async def test_job_for_another_device_is_not_offered(service: Service) -> None:
    ada, gpu = await service.person(), await service.node("gpu", device="cuda")
    await ada.send()
    await gpu.ready()
    assert await gpu.silent()


async def test_cancel_in_the_queue(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    for _ in range(2):
        answer = await ada.http.post(f"/api/submissions/{sent['id']}/cancel")
        assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    await node.ready()
    assert await node.silent()


async def test_cancel_while_judging_stops_the_node_and_its_judgement_changes_nothing(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    answer = await ada.http.post(f"/api/submissions/{sent['id']}/cancel")
    assert answer.json()["status"] == "cancelled"
    assert await node.hear() == transport.Cancel(job.id, job.token)
    await node.judge(job)
    await node.say(transport.Stopped(job.id, job.token))
    await asyncio.sleep(0.1)
    assert (await ada.get(sent["id"]))["status"] == "cancelled"


async def test_cancel_after_the_end_is_refused(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    await node.judge(await node.take())
    await ada.until(sent["id"], "judged")
    answer = await ada.http.post(f"/api/submissions/{sent['id']}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_finished")


async def test_rejudge_is_for_admins_and_finished_submissions(service: Service) -> None:
    ada, admin = await service.person(), await service.admin()
    sent = await ada.send()
    path = f"/api/submissions/{sent['id']}/rejudge"
    assert (await ada.http.post(path)).status_code == 403
    assert (await admin.http.post(path)).json()["code"] == "not_finished"
    assert (await service.client().post(path)).status_code == 401


async def test_strangers_see_nothing_and_admins_everything(service: Service) -> None:
    ada, bob, admin = await service.person("ada"), await service.person("bob"), await service.admin()
    sent = await ada.send()
    for tail in ("", "/source"):
        path = f"/api/submissions/{sent['id']}{tail}"
        assert (await bob.http.get(path)).status_code == 404
        assert (await service.client().get(path)).status_code == 401
        assert (await admin.http.get(path)).status_code == 200
    assert (await ada.http.get(f"/api/submissions/{sent['id']}/source")).json()["source"] == SOURCE
    assert (await bob.http.post(f"/api/submissions/{sent['id']}/cancel")).status_code == 404


async def test_list_has_pages_and_filters_and_only_my_own(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    await bob.send()
    sent = [(await ada.send(source=f"x = {number}", kind="run"))["id"] for number in range(3)]
    first = (await ada.http.get("/api/submissions", params={"limit": 2, "slug": "add-one"})).json()
    assert [item["id"] for item in first["items"]] == sent[:0:-1]
    rest = (await ada.http.get("/api/submissions", params={"cursor": first["next_cursor"]})).json()
    assert ([item["id"] for item in rest["items"]], rest["next_cursor"]) == (sent[:1], None)
    assert (await ada.http.get("/api/submissions", params={"kind": "submit"})).json()["items"] == []
    assert (await ada.http.get("/api/submissions", params={"cursor": "🦓"})).json()["code"] == "bad_cursor"


async def test_withdrawn_challenge_ends_in_judge_error(home: Path) -> None:
    folder = write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        ada, node = await service.person(), await service.node()
        sent = await ada.send()
        (folder / "tests.lock").unlink()
        service.state.store.reload()
        await node.ready()
        told = await ada.until(sent["id"], "judged")
        assert told["verdict"] == "JE"
        assert "withdrawn" in told["message"]


async def test_changed_challenge_is_judged_in_its_present_version(home: Path) -> None:
    folder = write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        ada, node = await service.person(), await service.node()
        sent = await ada.send()
        (folder / "statement.md").write_text("Better said.")
        service.state.store.reload()
        await node.ready()
        job = await node.take()
        assert job.digest != sent["digest"]
        await node.judge(job)
        assert (await ada.until(sent["id"], "judged"))["digest"] == job.digest


async def test_queue_is_public(service: Service) -> None:
    ada = await service.person()
    await ada.send()
    told = (await service.client().get("/api/queue")).json()
    assert (told["queued"], told["judging"], told["expected_wait_s"]) == (1, 0, None)
    assert told["reason"] == "No grading node is connected."
    await service.node()
    assert (await service.client().get("/api/queue")).json()["expected_wait_s"] >= 0
