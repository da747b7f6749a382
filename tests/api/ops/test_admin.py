"""Tests administration. Accounts are found, promoted, closed and reopened, and every action is in the audit log."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from api.identity.accounts.models import Account
from api.ops.admin.figures import DAYS
from tests.api.running_service import Person, Service

pytestmark = pytest.mark.anyio
SIGN_IN = {"email": "ada@example.org", "password": "ten characters"}


async def id_of(person: Person) -> str:
    return str((await person.http.get("/api/me")).json()["id"])


async def ban(admin: Person, account_id: str, reason: str = "Attacked the judge.") -> Any:
    return await admin.http.put(f"/api/admin/accounts/{account_id}/ban", json={"reason": reason})


async def deeds(admin: Person, **filters: str) -> list[tuple[str, str]]:
    items = (await admin.http.get("/api/admin/audit", params=filters)).json()["items"]
    return [(row["action"], row["object_id"]) for row in items]


async def test_ban_closes_every_door_and_opening_gives_the_tokens_back(service: Service) -> None:
    admin, ada = await service.admin(), await service.person("ada")
    own, sent = await id_of(ada), await ada.send()
    token = (await ada.http.post("/api/me/tokens", json={"name": "t"})).json()["token"]
    program = service.client(headers={"Authorization": f"Bearer {token}"})
    assert (await ban(admin, own)).json()["ban"] == "Attacked the judge."
    assert (await ada.http.get("/api/me")).json() is None
    refused = await program.get("/api/me")
    assert (refused.status_code, "Attacked the judge." in refused.json()["message"]) == (401, True)
    signing = await service.client().post("/api/session", json=SIGN_IN)
    assert (signing.status_code, signing.json()["code"]) == (403, "banned")
    assert "Attacked the judge." in signing.json()["message"]
    wrong = await service.client().post("/api/session", json={**SIGN_IN, "password": "a wrong one"})
    assert wrong.status_code == 401, "who does not know the password learns nothing of the ban"
    assert (await admin.get(sent["id"]))["status"] == "cancelled"
    opened = await admin.http.delete(f"/api/admin/accounts/{own}/ban")
    assert opened.json()["ban"] is None
    assert (await program.get("/api/me")).status_code == 200
    assert (await service.client().post("/api/session", json=SIGN_IN)).status_code == 200
    assert await deeds(admin, thing=own) == [("account.unban", own), ("account.ban", own)]


async def test_judging_of_a_banned_account_is_stopped_on_its_node(service: Service) -> None:
    admin, ada, node = await service.admin(), await service.person("ada"), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    await ban(admin, await id_of(ada))
    assert type(await node.hear()).__name__ == "Cancel"
    await node.judge(job)
    assert (await admin.get(sent["id"]))["status"] == "cancelled"


async def test_there_is_always_an_admin_left(service: Service) -> None:
    root, ada = await service.admin(), await service.person("ada")
    first, second = await id_of(root), await id_of(ada)
    for path, body in (("role", {"role": "account"}), ("ban", {"reason": "By mistake."})):
        own = await root.http.put(f"/api/admin/accounts/{first}/{path}", json=body)
        assert (own.status_code, own.json()["code"]) == (409, "own_account")
    assert (await root.http.put(f"/api/admin/accounts/{second}/role", json={"role": "admin"})).status_code == 200
    assert (await ban(root, second)).json()["code"] == "cannot_change", "an admin is made a plain account first"
    both = await asyncio.gather(
        root.http.put(f"/api/admin/accounts/{second}/role", json={"role": "account"}),
        ada.http.put(f"/api/admin/accounts/{first}/role", json={"role": "account"}),
    )
    assert sorted(answer.status_code for answer in both) == [200, 403]
    async with service.state.db.read() as session:
        admins = await session.scalars(select(Account.id).where(Account.role == "admin"))
        assert len(list(admins)) == 1


async def test_roles_are_not_changed_by_a_token_and_guests_have_none(service: Service) -> None:
    admin, ada = await service.admin(), await service.person("ada")
    token = (await admin.http.post("/api/me/tokens", json={"name": "t"})).json()["token"]
    program = service.client(headers={"Authorization": f"Bearer {token}"})
    refused = await program.put(f"/api/admin/accounts/{await id_of(ada)}/role", json={"role": "admin"})
    assert (refused.status_code, refused.json()["code"]) == (403, "session_required")
    guest = service.client()
    own = (await guest.post("/api/guest")).json()["id"]
    answer = await admin.http.put(f"/api/admin/accounts/{own}/role", json={"role": "admin"})
    assert answer.json()["code"] == "cannot_change"
    assert (await admin.http.get("/api/admin/accounts?role=guest")).json()["items"][0]["email"] == ""


async def test_accounts_are_found_by_part_of_name_or_email(service: Service) -> None:
    admin = await service.admin()
    for name in ("ada", "Bob_1", "bobby"):
        await service.person(name)
    found = {}
    for q in ("ADA", "bob", "b_1", "%", "example.org", "nobody"):
        items = (await admin.http.get("/api/admin/accounts", params={"q": q})).json()["items"]
        found[q] = [row["name"] for row in items]
    assert found == {
        "ADA": ["ada"],
        "bob": ["bobby", "Bob_1"],
        "b_1": ["Bob_1"],
        "%": [],
        "example.org": ["bobby", "Bob_1", "ada", "root"],
        "nobody": [],
    }
    page = (await admin.http.get("/api/admin/accounts?limit=3")).json()
    rest = (await admin.http.get("/api/admin/accounts", params={"cursor": page["next_cursor"]})).json()
    assert [row["name"] for row in rest["items"]] == ["root"]


async def test_facts_count_and_reading_a_source_is_on_record(service: Service) -> None:
    admin, ada, node = await service.admin(), await service.person("ada"), await service.node()
    own, sent = await id_of(ada), await ada.send()
    await node.ready()
    await node.judge(await node.take())
    await ada.until(sent["id"], "judged")
    await ada.send(source="x = 2")
    facts = await admin.http.get(f"/api/admin/accounts/{own}")
    told = facts.json()
    assert "x + 1" not in facts.text
    assert [told[name] for name in ("submissions", "unfinished", "sessions", "tokens", "reports")] == [2, 1, 1, 0, 0]
    assert told["verdicts"] == [{"verdict": "AC", "count": 1}]
    assert told["last_seen_at"] is not None
    await ada.http.get(f"/api/submissions/{sent['id']}/source")
    assert await deeds(admin) == [], "one's own source is nobody's business"
    await admin.http.get(f"/api/submissions/{sent['id']}/source")
    assert await deeds(admin) == [("submission.read_source", sent["id"])]
    ended = await admin.http.delete(f"/api/admin/accounts/{own}/sessions")
    assert (ended.status_code, (await ada.http.get("/api/me")).json()) == (200, None)


async def test_figures_are_those_of_the_tables(service: Service) -> None:
    admin, ada, node = await service.admin(), await service.person("ada"), await service.node()
    sent = await ada.send()
    await node.ready()
    await node.judge(await node.take())
    await ada.until(sent["id"], "judged")
    await service.client().post("/api/guest")
    told = (await admin.http.get("/api/admin/overview")).json()
    assert [told[name] for name in ("accounts", "new_accounts", "admins", "guests", "banned")] == [2, 2, 1, 1, 0]
    assert len(told["days"]) == DAYS
    assert [day["submissions"] for day in told["days"][-1:]] == [1]
    assert (told["verdicts"], told["judge_error_rate"]) == ([{"verdict": "AC", "count": 1}], 0)
    assert told["latency"]["judgings"] == 1
    assert 0 < told["latency"]["p50_s"] == told["latency"]["p95_s"] < 10
    listed = (await admin.http.get("/api/admin/submissions?verdict=AC&slug=add-one")).json()["items"]
    assert [(row["id"], row["node"]) for row in listed] == [(sent["id"], "node-1")]
    assert (await admin.http.get("/api/admin/submissions?verdict=JE")).json()["items"] == []


async def test_log_outlives_accounts_and_has_pages(service: Service) -> None:
    admin, ada = await service.admin(), await service.person("ada")
    own = await id_of(ada)
    for _ in range(3):
        await admin.http.delete(f"/api/admin/accounts/{own}/sessions")
    await admin.http.post("/api/admin/catalogue/reload")
    async with service.state.db.write() as session:
        await session.delete(await session.get_one(Account, own))
    page = (await admin.http.get("/api/admin/audit?limit=2")).json()
    rest = (await admin.http.get("/api/admin/audit", params={"cursor": page["next_cursor"]})).json()
    assert [row["action"] for row in page["items"] + rest["items"]] == ["catalogue.reload", *["account.sign_out"] * 3]
    assert page["items"][0]["address"] == "127.0.0.1"
    assert page["items"][0]["detail"] == {"challenges": 1, "left_out": 0}
