"""Tests registering, signing in, sessions, tokens, the first admin, and requests that other sites trigger."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from api.identity.accounts.models import Account, AccountSession, ApiToken
from api.kit.http.throttle import Throttle
from tests.api.running_service import SOURCE, Service, running, settings_in

anyio = pytest.mark.anyio
ADA = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}


@anyio
async def test_registered_person_is_signed_in_by_a_strict_cookie(service: Service) -> None:
    client = service.client()
    answer = await client.post("/api/accounts", json={**ADA, "email": "Ada@Example.ORG"})
    assert (answer.status_code, answer.json()["email"], answer.json()["role"]) == (201, "ada@example.org", "account")
    cookie = answer.headers["set-cookie"].lower()
    assert all(part in cookie for part in ("httponly", "samesite=lax", "path=/", "max-age="))
    assert (await client.get("/api/me")).json()["name"] == "Ada"


@anyio
async def test_secrets_are_not_stored(service: Service) -> None:
    ada = await service.person()
    token = (await ada.http.post("/api/me/tokens", json={"name": "laptop"})).json()["token"]
    async with service.state.db.read() as session:
        account = (await session.scalars(select(Account))).one()
        stored = (await session.scalars(select(AccountSession))).one(), (await session.scalars(select(ApiToken))).one()
    assert account.password_hash.startswith("$argon2id$")
    assert ada.http.cookies["gradus_session"] not in [row.token_hash for row in stored]
    assert token not in [row.token_hash for row in stored]


@anyio
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"email": "nobody"}, "email"),
        ({"password": "short"}, "password"),
        ({"password": "x" * 257}, "password"),
        ({"name": "  "}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "\ud800"}, "name"),
        ({"email": "a" * 250 + "@example.org"}, "email"),
    ],
)
async def test_bad_registration_names_the_field(service: Service, change: dict[str, str], field: str) -> None:
    import json

    content = json.dumps({**ADA, **change})
    answer = await service.client().post("/api/accounts", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert [item["field"] for item in answer.json()["fields"]] == [field]
    assert "ten characters" not in answer.text, "what was sent is not sent back"


@anyio
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "   "}, "must not be empty"),
        ({"name": "a" * 300}, "must have at most 80 characters"),
        ({"password": "short"}, "must have at least 10 characters"),
        ({"email": "nobody"}, "An email address must have an @-sign."),
    ],
)
async def test_bad_input_is_explained_in_plain_words(service: Service, change: dict[str, str], message: str) -> None:
    answer = await service.client().post("/api/accounts", json={**ADA, **change})
    assert (answer.status_code, answer.json()["fields"]) == (422, [{"field": next(iter(change)), "message": message}])


@anyio
async def test_email_is_taken_once(service: Service) -> None:
    await service.client().post("/api/accounts", json=ADA)
    answer = await service.client().post("/api/accounts", json={**ADA, "email": "ADA@example.org"})
    assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")


@anyio
async def test_unknown_email_and_wrong_password_look_the_same(service: Service) -> None:
    await service.client().post("/api/accounts", json=ADA)
    wrong = await service.client().post("/api/session", json={"email": ADA["email"], "password": "not it at all"})
    unknown = await service.client().post("/api/session", json={"email": "eve@example.org", "password": "not it"})
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.json() == unknown.json()


@anyio
async def test_sign_in_and_out(service: Service) -> None:
    await service.client().post("/api/accounts", json=ADA)
    client = service.client()
    signed_in = await client.post("/api/session", json={"email": ADA["email"], "password": ADA["password"]})
    assert signed_in.status_code == 200
    cookie = client.cookies["gradus_session"]
    assert (await client.delete("/api/session")).status_code == 204
    assert "gradus_session" not in client.cookies
    stolen = service.client(cookies={"gradus_session": cookie})
    assert (await stolen.get("/api/me")).json() is None
    assert (await client.delete("/api/session")).status_code == 204


@anyio
async def test_failed_sign_ins_are_slowed_down_per_address_and_account(home: Path) -> None:
    async with running(settings_in(home, sign_in_failures=2)) as service:
        await service.client().post("/api/accounts", json=ADA)
        wrong, right = (
            {"email": ADA["email"], "password": "wrong"},
            {"email": ADA["email"], "password": ADA["password"]},
        )
        client = service.client()
        assert (await client.post("/api/session", json=wrong)).status_code == 401
        assert (await client.post("/api/session", json=right)).status_code == 200, "one failure is forgiven"
        codes = [(await client.post("/api/session", json=wrong)).status_code for _ in range(3)]
        assert codes == [401, 401, 429]
        blocked = await client.post("/api/session", json=right)
        assert blocked.status_code == 429
        assert 290 <= int(blocked.headers["retry-after"]) <= 300
        other = await client.post("/api/session", json={**wrong, "email": "bob@example.org"})
        assert other.status_code == 401, "others behind the same address may go on"


@anyio
async def test_expired_session_is_nobody(service: Service) -> None:
    from datetime import timedelta

    from sqlalchemy import update

    from api.kit.db.database import now

    ada = await service.person()
    async with service.state.db.write() as session:
        await session.execute(update(AccountSession).values(expires_at=now() - timedelta(seconds=1)))
    assert (await ada.http.get("/api/me")).json() is None


@anyio
async def test_nobody_is_no_error_and_a_wrong_token_is_one(service: Service) -> None:
    answer = await service.client().get("/api/me")
    assert (answer.status_code, answer.json()) == (200, None)
    answer = await service.client(headers={"Authorization": "Bearer grd_wrong"}).get("/api/me")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


@anyio
async def test_sessions_are_listed_and_revoked(service: Service) -> None:
    ada, bob = await service.person("ada"), await service.person("bob")
    other = service.client(headers={"User-Agent": "Phone"})
    await other.post("/api/session", json={"email": ada.email, "password": "ten characters"})
    items = (await ada.http.get("/api/me/sessions")).json()["items"]
    assert [(item["agent"] == "Phone", item["current"]) for item in items] == [(True, False), (False, True)]
    path = f"/api/me/sessions/{items[0]['id']}"
    assert (await bob.http.delete(path)).status_code == 404
    assert (await ada.http.delete(path)).status_code == 204
    assert (await other.get("/api/me")).json() is None


@anyio
async def test_api_token_is_shown_once_works_and_is_revoked(service: Service) -> None:
    ada = await service.person()
    created = (await ada.http.post("/api/me/tokens", json={"name": "laptop"})).json()
    program = service.client(headers={"Authorization": f"Bearer {created['token']}"})
    assert (await program.get("/api/me")).json()["email"] == ada.email
    listed = await ada.http.get("/api/me/tokens")
    assert created["token"] not in listed.text
    assert listed.json()["items"][0]["last_used_at"] is not None
    assert (await ada.http.delete(f"/api/me/tokens/{created['id']}")).status_code == 204
    answer = await program.get("/api/me")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert "revoked" in answer.json()["message"]


@anyio
async def test_number_of_tokens_is_limited(home: Path) -> None:
    async with running(settings_in(home, api_tokens=1)) as service:
        ada = await service.person()
        codes = [(await ada.http.post("/api/me/tokens", json={"name": "x"})).status_code for _ in range(2)]
        assert codes == [201, 409]


@anyio
@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "own"}, False),
        ({"Origin": "own"}, True),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
    ],
)
async def test_requests_that_other_sites_cause_are_refused(
    service: Service, headers: dict[str, str], allowed: bool
) -> None:
    ada = await service.person()
    sent = {name: service.url if value == "own" else value for name, value in headers.items()}
    answer = await ada.http.post("/api/me/tokens", json={"name": "x"}, headers=sent)
    assert answer.status_code == (201 if allowed else 403)
    assert allowed or answer.json()["code"] == "cross_site"
    assert (await ada.http.get("/api/me", headers=sent)).json()["id"], "reading is harmless"


@anyio
async def test_bearer_token_needs_no_origin(service: Service) -> None:
    ada = await service.person()
    token = (await ada.http.post("/api/me/tokens", json={"name": "x"})).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Origin": "https://elsewhere.example"}
    body = {"slug": "add-one", "kind": "submit", "source": SOURCE}
    answer = await service.client().post("/api/submissions", json=body, headers=headers)
    assert answer.status_code == 201


@anyio
async def test_form_post_is_not_read_as_json(service: Service) -> None:
    ada = await service.person()
    answer = await ada.http.post("/api/me/tokens", content='{"name": "x"}', headers={"Content-Type": "text/plain"})
    assert answer.status_code == 422


@anyio
async def test_setup_token_makes_one_admin_once(service: Service) -> None:
    token = service.state.limits.new_setup_token()
    wrong = await service.client().post("/api/setup", json={**ADA, "token": "setup_wrong"})
    assert (wrong.status_code, wrong.json()["code"]) == (403, "forbidden")
    right = await service.client().post("/api/setup", json={**ADA, "token": token})
    assert (right.status_code, right.json()["role"]) == (201, "admin")
    again = await service.client().post("/api/setup", json={**ADA, "email": "eve@example.org", "token": token})
    assert (again.status_code, again.json()["code"]) == (409, "already_set_up")


@anyio
async def test_setup_promotes_who_has_registered_before(service: Service) -> None:
    await service.client().post("/api/accounts", json=ADA)
    token = service.state.limits.new_setup_token()
    stranger = await service.client().post("/api/setup", json={**ADA, "password": "other password", "token": token})
    assert stranger.status_code == 401
    client = service.client()
    assert (await client.post("/api/setup", json={**ADA, "token": token})).json()["role"] == "admin"
    assert (await client.get("/api/admin/nodes")).json() == {"items": [], "drained": [], "expected": []}


@anyio
async def test_setup_token_is_printed_only_while_nobody_is_admin(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(settings_in(home)) as service:
        printed = capsys.readouterr().out
        token = printed.partition('"token": "')[2].partition('"')[0]
        answer = await service.client().post("/api/setup", json={**ADA, "token": token})
        assert answer.status_code == 201
    async with running(settings_in(home)):
        assert "setup token" not in capsys.readouterr().out


@anyio
async def test_registration_can_be_closed_and_is_limited(home: Path) -> None:
    async with running(settings_in(home, registration="closed")) as service:
        assert (await service.client().post("/api/accounts", json=ADA)).status_code == 403
    async with running(settings_in(home, registrations_per_hour=1)) as service:
        bodies: list[dict[str, Any]] = [{**ADA, "email": f"{name}@example.org"} for name in "ab"]
        codes = [(await service.client().post("/api/accounts", json=body)).status_code for body in bodies]
        assert codes == [201, 429]


def test_throttle_opens_again_as_time_passes() -> None:
    moment = [0.0]
    throttle = Throttle(2, 10, clock=lambda: moment[0])
    throttle.count("a")
    moment[0] = 4
    throttle.count("a")
    assert (throttle.wait_s("a"), throttle.wait_s("b")) == (6, 0)
    moment[0] = 10
    assert throttle.wait_s("a") == 0
    throttle.count("a")
    assert throttle.wait_s("a") == 4
    throttle.forget("a")
    assert throttle.wait_s("a") == 0
