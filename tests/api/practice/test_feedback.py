"""Tests reports and suggestions: who may send them, how they are answered, and that nobody can report a problem twice."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.practice.feedback.service import OPEN, OPEN_OF_A_GUEST
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in
from tests.api.topic_folders import write_topic

pytestmark = pytest.mark.anyio
TYPO = {"about": "challenge", "target": "add-one", "kind": "typo", "words": "It says wto, not two."}


async def tell(client: httpx.AsyncClient, **more: Any) -> httpx.Response:
    return await client.post("/api/reports", json={**TYPO, **more})


async def suggest(client: httpx.AsyncClient, title: str) -> httpx.Response:
    return await client.post("/api/suggestions", json={"title": title, "tests": "That nothing is copied."})


async def test_a_report_is_answered_and_its_author_reads_the_answer(service: Service) -> None:
    ada, admin, bob = await service.person("ada"), await service.admin(), await service.person("bob")
    sent = await ada.send()
    made = await tell(ada.http, kind="verdict", submission_id=sent["id"], words="  <b>It is right</b>, I think.\n")
    assert (made.status_code, made.json()["state"], made.json()["words"]) == (
        201,
        "open",
        "<b>It is right</b>, I think.",
    )
    listed = (await admin.http.get("/api/admin/reports?kind=error&state=open")).json()["items"]
    assert [(row["id"], row["account_name"], row["submission_id"]) for row in listed] == [
        (made.json()["id"], "ada", sent["id"])
    ]
    path = f"/api/admin/reports/{made.json()['id']}/answer"
    assert (await admin.http.post(path, json={"state": "declined"})).status_code == 422, "not without a word"
    told = await admin.http.post(path, json={"state": "fixed", "reply": "You are right."})
    assert told.status_code == 200
    mine = (await ada.http.get("/api/reports")).json()["items"]
    assert [(row["state"], row["reply"]) for row in mine] == [("fixed", "You are right.")]
    assert (await bob.http.get("/api/reports")).json()["items"] == []
    assert (await admin.http.get("/api/admin/reports?state=open")).json()["items"] == []
    log = (await admin.http.get("/api/admin/audit?action=report.answer")).json()["items"]
    assert [(row["object_id"], row["detail"], row["actor_name"]) for row in log] == [
        (made.json()["id"], {"state": "fixed"}, "root")
    ]


async def test_the_same_is_told_once_until_it_is_answered(service: Service) -> None:
    ada, admin = await service.person("ada"), await service.admin()
    answers = await asyncio.gather(*(tell(ada.http, words=f"The {number}th way to say it.") for number in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert (await tell(ada.http, kind="fact")).status_code == 201
    assert (await tell((await service.person("bob")).http)).status_code == 201
    one = (await ada.http.get("/api/reports")).json()["items"][-1]
    await admin.http.post(f"/api/admin/reports/{one['id']}/answer", json={"state": "accepted"})
    assert (await tell(ada.http)).status_code == 201
    assert (await suggest(ada.http, "Adding in place")).status_code == 201
    assert (await suggest(ada.http, "  ADDING in  place ")).status_code == 409


async def test_only_what_is_there_can_be_wrong(home: Path) -> None:
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        ada, bob = await service.person("ada"), await service.person("bob")
        for about, target, status in (
            ("topic", "adding", 201),
            ("question", "adding/how-much", 201),
            ("question", "adding/nothing", 404),
            ("question", "adding", 404),
            ("topic", "adding/how-much", 404),
            ("topic", "add-one", 404),
            ("challenge", "adding", 404),
            ("challenge", "../add-one", 422),
        ):
            assert (await tell(ada.http, about=about, target=target)).status_code == status, (about, target)
        theirs = await bob.send()
        for evidence in (theirs["id"], "0" * 32):
            answer = await tell(ada.http, submission_id=evidence)
            assert (answer.status_code, answer.json()["code"]) == (404, "evidence_not_found")


async def test_there_is_an_end_to_what_one_may_tell(service: Service) -> None:
    ada = await service.person("ada")
    for number in range(OPEN):
        assert (await suggest(ada.http, f"Suggestion {number}")).status_code == 201
    refused = await suggest(ada.http, "One more of them")
    assert (refused.status_code, "without an answer" in refused.json()["message"]) == (429, True)
    page = (await ada.http.get("/api/reports?limit=15")).json()
    rest = (await ada.http.get("/api/reports", params={"cursor": page["next_cursor"]})).json()
    titles = [row["title"] for row in page["items"] + rest["items"]]
    assert titles == [f"Suggestion {number}" for number in reversed(range(OPEN))]


async def guest(service: Service) -> httpx.AsyncClient:
    client = service.client()
    await client.post("/api/guest")
    return client


async def test_guests_may_report_a_little_and_suggest_nothing(service: Service) -> None:
    client = await guest(service)
    answers = [await tell(client, kind=kind) for kind in ("typo", "fact", "statement", "other")]
    assert [answer.status_code for answer in answers] == [201] * OPEN_OF_A_GUEST + [429]
    assert (await suggest(client, "Adding in place")).json()["code"] == "account_required"
    assert (await service.client().post("/api/reports", json=TYPO)).status_code == 401


async def test_guests_of_one_address_report_only_so_much(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, reports_of_guests_per_hour=2)) as service:
        answers = [await tell(await guest(service)) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert "Create an account" in answers[-1].json()["message"]
        assert (await tell((await service.person()).http)).status_code == 201, "accounts are counted by themselves"


async def test_what_a_guest_reported_is_answered_to_the_account(service: Service) -> None:
    ada, admin, client = await service.person("ada"), await service.admin(), await guest(service)
    for each in (ada.http, client):
        assert (await tell(each)).status_code == 201
    assert (await tell(client, kind="fact")).status_code == 201
    await client.post("/api/session", json={"email": ada.email, "password": "ten characters"})
    rows = (await client.get("/api/reports")).json()["items"]
    assert [row["kind"] for row in rows] == ["fact", "typo", "typo"]
    for row in rows:
        told = await admin.http.post(f"/api/admin/reports/{row['id']}/answer", json={"state": "fixed"})
        assert told.status_code == 200
    assert (await tell(client)).status_code == 201, "all is answered"
