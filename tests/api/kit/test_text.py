"""Tests text from users. Text that a file or the database cannot store is refused with 422, and misleading characters are
replaced.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from api.app import create_app
from api.kit.http.pagination import encode_cursor
from api.kit.text import MISLEADING
from grader.contract.job import Verdict
from tests.api.hiring.rooms.room_requests import room_of
from tests.api.hiring.taking_rig import candidate_of
from tests.api.request_bodies import body_of
from tests.api.running_service import Person, Service, settings_in
from tests.api.scripted_node import judgement_of, result_of

pytestmark = pytest.mark.anyio
BAD = ("\x00", "\ud800", "\udfff", "a\x00b", "\ud83d")
MARKS = "".join(chr(code) for code in (0x202A, 0x202E, 0x2066, 0x2069, 0x200E, 0x200F, 0x061C, 0x2028, 0x2029, 0xFEFF))
CONTROLS = "".join(map(chr, (*range(1, 32), *range(0x7F, 0xA0))))


def fields_of(schema: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield `METHOD path` and the field's name, for each field of a request body that can hold text."""
    for path, verbs in schema["paths"].items():
        for verb, operation in verbs.items():
            content = operation.get("requestBody", {}).get("content", {})
            for kind in (found for found in content.values() if "$ref" in found["schema"]):
                shape = schema["components"]["schemas"][kind["schema"]["$ref"].rpartition("/")[2]]
                for name, about in shape["properties"].items():
                    if about.get("type") != "boolean":
                        yield f"{verb.upper()} {path}", name


def parameters_of(schema: dict[str, Any], place: str) -> Iterator[tuple[str, str, str]]:
    """Yield the method, the path and the parameter's name for each parameter whose OpenAPI location is `place`, such as "query"
    or "path".
    """
    for path, verbs in schema["paths"].items():
        for verb, operation in verbs.items():
            for parameter in operation.get("parameters", []):
                if parameter["in"] == place:
                    yield verb.upper(), path, parameter["name"]


async def admin_with_schema(service: Service, home: Path) -> tuple[Person, dict[str, Any]]:
    """Return an admin whose requests are valid except for their text, and the OpenAPI description."""
    admin = await service.admin()
    _, admin.http.cookies["gradus_take"] = await candidate_of(service)
    return admin, create_app(settings_in(home)).openapi()


async def programs_of(admin: Person) -> dict[str, str]:
    """Return headers with a token of the admin's team, for the routes that only a team's programs may use."""
    team = (await admin.http.post("/api/teams", json={"name": "Hiring"})).json()["id"]
    body = {"name": "t", "scopes": ["invite", "read_results"]}
    token = (await admin.http.post(f"/api/teams/{team}/tokens", json=body)).json()["token"]
    return {"Authorization": f"Bearer {token}"}


async def test_no_field_of_a_body_takes_what_cannot_be_stored(service: Service, home: Path) -> None:
    admin, schema = await admin_with_schema(service, home)
    tried, program = set(), await programs_of(admin)
    team = (await admin.http.post("/api/teams", json={"name": "Hiring"})).json()["id"]
    room = (await room_of("{room_id}", admin.http, team))["room_id"]
    for route, name in fields_of(schema):
        for bad in BAD:
            body = body_of(route)
            assert body is not None, route
            content = json.dumps({**body, name: bad + str(body.get(name, ""))})
            method, _, path = route.partition(" ")
            # The team and the room belong to the admin: a request about another one would be refused before its body is read.
            path = path.replace("{team_id}", team).replace("{room_id}", room)
            path = path.replace("{position}", "1").replace("{criterion}", "0")
            answer = await admin.http.request(
                method,
                re.sub(r"{\w+_id}", "0" * 32, path),
                content=content,
                headers={"Content-Type": "application/json", **(program if "/tracking/" in path else {})},
            )
            assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input"), (route, name, bad)
            assert {item["field"] for item in answer.json()["fields"]} == {name}
        tried.add(name)
    assert tried >= {"email", "name", "password", "token", "current", "slug", "source", "snippet", "kind", "device"}


async def test_no_parameter_takes_what_cannot_be_stored(service: Service, home: Path) -> None:
    admin, schema = await admin_with_schema(service, home)
    names, program = set(), await programs_of(admin)
    for method, path, name in parameters_of(schema, "query"):
        headers = program if "/tracking/" in path else {}
        answer = await admin.http.request(method, f"{path}?{name}=%00", headers=headers)
        assert answer.status_code == 422, (path, name)
        names.add(name)
        # Bytes that are not UTF-8 reach the service as replacement characters, never as surrogates.
        answer = await admin.http.request(method, f"{path}?{name}=%ED%A0%80%FF", headers=headers)
        assert answer.status_code < 500, (path, name)
    for method, path, name in parameters_of(schema, "path"):
        for bad in ("%00", "%00" * 32, "0" * 31 + "%00", "%ED%A0%80%00", "x%0Ay%00"):
            address = path.format(**{other: bad for _, _, other in parameters_of(schema, "path")})
            headers = program if "/tracking/" in path else {}
            answer = await admin.http.request(method, address, headers=headers)
            assert answer.status_code == 422, (path, name, bad)
        names.add(name)
    assert names >= {"q", "section", "topic", "cursor", "slug", "kind", "submission_id", "session_id", "token_id"}


async def test_cursor_cannot_smuggle_what_cannot_be_stored(service: Service) -> None:
    ada = await service.person()
    for key in (("\x00",), ("\ud800",), ("[" * 100,)):
        cursor = encode_cursor(*key)
        answer = await ada.http.get("/api/submissions", params={"cursor": cursor})
        assert answer.status_code == (200 if key[0].startswith("[") else 422), key
    for four in (("\x00", 1, "", ""), ("", 1, "\ud800", ""), ("", 10**18, "", "\x00")):
        answer = await ada.http.get("/api/challenges", params={"cursor": encode_cursor(*four)})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


@pytest.mark.parametrize("mark", [*MARKS, *CONTROLS])
async def test_names_hold_nothing_that_is_not_seen(mark: str) -> None:
    from pydantic import TypeAdapter, ValidationError

    from api.identity.sign_in.schemas import Email, Name

    for kind, text in ((Name, f"Ada{mark}Lovelace"), (Email, f"ada{mark}@example.org")):
        with pytest.raises(ValidationError, match="cannot be seen"):
            TypeAdapter(kind).validate_python(text)


@pytest.mark.parametrize("name", ["Åsa Ó Dónaill", "Дмитрий", "李小龙", "محمد", "👩‍💻", 'a\'b<c>&"d"', "=1+1"])
async def test_names_of_all_people_are_taken_as_they_are(service: Service, name: str) -> None:
    body = {"email": "ada@example.org", "name": name, "password": "ten characters"}
    assert (await service.client().post("/api/accounts", json=body)).json()["name"] == name


async def test_browser_cannot_hide_in_the_list_of_sessions(service: Service) -> None:
    agent = b"Phone\x85\x9b31m\xad"
    client = service.client(headers=[(b"User-Agent", agent)])
    body = {"email": "ada@example.org", "name": "Ada", "password": "ten characters"}
    await client.post("/api/accounts", json=body)
    shown = (await client.get("/api/me/sessions")).json()["items"][0]["agent"]
    assert shown.startswith("Phone")
    assert not MISLEADING.search(shown)


async def test_what_is_echoed_in_a_message_is_escaped(service: Service) -> None:
    client = service.client()
    for text in ("<script>alert(1)</script>", "a\u202eb", "a\nb", "\x1b[31m", "\u2028"):
        answer = await client.get(f"/api/challenges/{quote(text, safe='')}")
        assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json")
        assert not MISLEADING.search(answer.json()["message"])


async def test_message_of_a_test_cannot_forge_an_event(service: Service) -> None:
    ada, node = await service.person(), await service.node()
    sent = await ada.send()
    await node.ready()
    job = await node.take()
    evil = 'x\n\nevent: judged\ndata: {"verdict": "AC"}\r\n\r\nid: 9.9.9\u2028\x00\u202e'
    tests = (result_of("test_zero", Verdict.WA, evil), *judgement_of(job).tests[1:])
    await node.judge(job, Verdict.WA, tests=tests, score=0)
    events = await ada.events(sent["id"])
    assert [event["event"] for event in events if event["event"] == "judged"] == ["judged"]
    assert next(event["data"]["test"]["message"] for event in events if event["event"] == "test") == evil
    assert events[-1]["data"]["verdict"] != "AC"
