"""Tests how personal data is exported, accounts are deleted, and guests are erased. The tests check every table, including
those that are added later.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select, update

from api.identity.accounts.models import Account, AccountSession
from api.identity.mail import outbox
from api.identity.mail.models import OutboxMail
from api.kit.db.database import Table, now
from api.ops.privacy import service as personal
from api.ops.privacy.export import public_columns
from api.ops.privacy.rows import personal_tables
from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE, Person, Service, running, settings_in
from tests.api.scripted_node import judgement_of
from tests.api.topic_folders import write_topic

anyio = pytest.mark.anyio
PASSWORD = {"password": "ten characters"}
# A column whose name ends in one of these words holds a secret, and must not be exported.
SECRET_WORDS = ("hash", "secret", "seed", "token")


def test_every_reference_to_an_account_goes_with_it_or_is_emptied() -> None:
    for table in Table.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == "account":
                assert key.ondelete in ("CASCADE", "SET NULL"), f"{table.name}.{key.parent.name}"
        if "account_id" in table.c:
            assert table in personal_tables(), table.name


def test_no_secret_is_exported() -> None:
    for table in personal_tables():
        for column in public_columns(table):
            assert not column.name.endswith(SECRET_WORDS), f"{table.name}.{column.name}: mark it with info=SECRET"


async def busy_person(service: Service, name: str = "ada") -> Person:
    """Create a person with data of every kind. The judged answer has a hidden test with output."""
    person = await service.person(name)
    await person.http.post("/api/me/tokens", json={"name": "laptop"})
    attempt = (await person.http.post("/api/topics/adding/attempts")).json()["id"]
    await person.http.post(f"/api/attempts/{attempt}/answers", json={"question": "how-much", "answer": 2})
    sent = await person.send()
    node = await service.node(f"node-{name}")
    await node.ready()
    job = await node.take()
    *others, last = judgement_of(job).tests
    hidden = msgspec.structs.replace(last, verdict=Verdict.WA, message="look again", stdout="the hidden input")
    await node.judge(job, Verdict.WA, tests=(*others, hidden), score=0)
    await person.until(sent["id"], "judged")
    await person.send(source=SOURCE + "# not judged yet\n")
    return person


async def rows_with(service: Service, *words: str) -> list[str]:
    """Search all tables for values that contain one of these words. Return the column of each value as `table.column`."""
    found = []
    async with service.state.db.read() as session:
        for table in Table.metadata.sorted_tables:
            for row in (await session.execute(select(table))).mappings():
                found += [f"{table.name}.{name}" for name, value in row.items() if any(w in str(value) for w in words)]
    return found


@anyio
async def test_export_holds_everything_but_secrets(home: Path) -> None:
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        ada, bob = await busy_person(service), await service.person("bob")
        await bob.send()
        answer = await ada.http.get("/api/me/export")
        assert answer.headers["content-disposition"].startswith('attachment; filename="gradus-')
        told: dict[str, Any] = answer.json()
        await _every_row_is_there(service, told, (await ada.http.get("/api/me")).json()["id"])
    assert told.keys() == {"exported_at", *(table.name for table in personal_tables())}
    assert told["account"][0]["email"] == "ada@example.org"
    assert SOURCE in [row["source"] for row in told["submission_source"]]
    assert len(told["quiz_answer"]) == len(told["api_token"]) == len(told["account_session"]) == 1
    for secret in ("argon2", "hash", "bob@", "the hidden input", '"seed"', '"token"'):
        assert secret not in json.dumps(told), secret
    judged = [row["judgement"] for row in told["judging"] if row["judgement"]]
    assert judged[0]["tests"][-1]["message"] == "look again"


async def _every_row_is_there(service: Service, told: dict[str, Any], account_id: str) -> None:
    async with service.state.db.read() as session:
        for table in Table.metadata.sorted_tables:
            if "account_id" in table.c:
                mine = select(func.count()).select_from(table).where(table.c.account_id == account_id)
                assert len(told[table.name]) == await session.scalar(mine), table.name


@anyio
async def test_exports_are_few(home: Path) -> None:
    async with running(settings_in(home, exports_per_hour=2)) as service:
        ada = await service.person()
        codes = [(await ada.http.get("/api/me/export")).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


@anyio
async def test_who_leaves_leaves_nothing(home: Path) -> None:
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    async with running(settings_in(home)) as service:
        ada, bob = await busy_person(service), await service.person("bob")
        own = (await ada.http.get("/api/me")).json()["id"]
        wrong = await ada.http.request("DELETE", "/api/me", json={"password": "not this one"})
        assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_credentials")
        assert wrong.json()["message"] == "The password is wrong.", "nobody asked for the email"
        await ada.http.post("/api/me/email", json={"email": "ada@new.example", **PASSWORD})
        await _put_aside(service, ada.email)
        assert await rows_with(service, own)
        assert (await ada.http.request("DELETE", "/api/me", json=PASSWORD)).status_code == 204
        assert "gradus_session" not in ada.http.cookies
        assert await rows_with(service, own, ada.email, SOURCE) == []
        assert (await bob.http.get("/api/me")).json()["id"]
        again = await service.client().post("/api/session", json={"email": ada.email, **PASSWORD})
        assert again.status_code == 401


async def _put_aside(service: Service, address: str) -> None:
    """Queue a password reset email to this address, whose row does not name an account yet. Postpone it by a day, so that it
    stays in the queue.
    """
    async with service.state.db.write() as session:
        await outbox.put(session, "reset", address)
        later = update(OutboxMail).where(OutboxMail.account_id.is_(None)).values(next_at=now() + timedelta(days=1))
        await session.execute(later)


@anyio
async def test_judgement_of_somebody_who_left_changes_nothing(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home)) as service:
        ada, bob, node = await service.person(), await service.person("bob"), await service.node()
        await ada.send()
        await node.ready()
        job = await node.take()
        assert (await ada.http.request("DELETE", "/api/me", json=PASSWORD)).status_code == 204
        await node.judge(job)
        sent = await bob.send()
        await node.ready()
        await node.judge(await node.take())
        assert (await bob.until(sent["id"], "judged"))["verdict"] == "AC"


@anyio
async def test_last_admin_stays(home: Path) -> None:
    async with running(settings_in(home)) as service:
        root = await service.admin()
        answer = await root.http.request("DELETE", "/api/me", json=PASSWORD)
        assert (answer.status_code, answer.json()["code"]) == (409, "last_admin")
        ada = await service.person()
        async with service.state.db.write() as session:
            await session.execute(update(Account).where(Account.email == ada.email).values(role="admin"))
        assert (await root.http.request("DELETE", "/api/me", json=PASSWORD)).status_code == 204


@anyio
async def test_guests_who_do_not_come_back_are_erased(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_challenge(home / "challenges")
    monkeypatch.setattr(personal, "AT_ONCE", 1)
    long_ago = now() - timedelta(days=31)
    async with running(settings_in(home)) as service:
        clients = [service.client() for _ in range(3)]
        guests = [(await client.post("/api/guest")).json()["id"] for client in clients]
        await Person(clients[0]).send()
        ada = await service.person()
        async with service.state.db.write() as session:
            await session.execute(update(Account).values(created_at=long_ago))
            idle = AccountSession.account_id.in_(guests[:2])
            await session.execute(update(AccountSession).where(idle).values(last_used_at=long_ago))
        rounds = [await personal.sweep(service.state.db, service.settings) for _ in range(3)]
        assert rounds == [True, True, False], "one at a time, as the limit says"
        assert await rows_with(service, *guests[:2]) == []
        assert (await clients[2].get("/api/me")).json()["id"] == guests[2], "he was here lately"
        assert (await ada.http.get("/api/me")).json()["id"]
