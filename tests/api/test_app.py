"""Tests the service as a whole: its OpenAPI description, headers and pages, and the settings that it refuses."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from api.app import create_app
from api.judging.nodes.local_process import command
from api.kit.db.database import Database, Table
from api.settings import ConfigurationError, plain_environment
from grader.contract import transport
from tests.api.running_service import Service, settings_in

anyio = pytest.mark.anyio
CONFLICTS = ("DraftConflict", "AssessmentConflict", "OwnConflict")


def operations(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every operation with its method and path."""
    for path, verbs in schema["paths"].items():
        for verb, operation in verbs.items():
            yield f"{verb} {path}", operation


@pytest.fixture
def schema(home: Path) -> dict[str, Any]:
    """The OpenAPI description."""
    return create_app(settings_in(home)).openapi()


def test_every_operation_describes_itself_and_its_errors(schema: dict[str, Any]) -> None:
    names = []
    for name, operation in operations(schema):
        names.append(operation["operationId"])
        assert operation["tags"], name
        assert operation["description"], name
        errors = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        assert {"422", "500"} <= errors.keys(), name
        for status, answer in errors.items():
            shape = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert shape in ("ErrorBody", "Readiness", *CONFLICTS), (name, status)
    # The error that reports a conflicting change has all fields of other errors. In addition, it contains the version that
    # somebody else has saved.
    shapes = schema["components"]["schemas"]
    for conflict in CONFLICTS:
        assert shapes["ErrorBody"]["properties"].keys() <= shapes[conflict]["properties"].keys()
    assert len(names) == len(set(names))
    assert "HTTPValidationError" not in schema["components"]["schemas"]


def test_every_unsafe_operation_for_accounts_names_its_refusals(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema):
        if name.startswith(("post", "delete")) and "/me/" in name:
            assert {"401", "403"} <= operation["responses"].keys(), name


def test_every_request_body_has_an_example(schema: dict[str, Any]) -> None:
    bodies = [operation["requestBody"] for _, operation in operations(schema) if "requestBody" in operation]
    kinds = [about for body in bodies for about in body["content"].values()]
    names = {about["schema"]["$ref"].rpartition("/")[2] for about in kinds if "$ref" in about["schema"]}
    assert names
    assert all("example" in about for about in kinds if "$ref" not in about["schema"])
    assert [name for name in names if "example" not in schema["components"]["schemas"][name]] == []


def test_seeds_and_tokens_of_attempts_are_in_no_answer(schema: dict[str, Any]) -> None:
    shapes = schema["components"]["schemas"].items()
    # EditorialView, which has a field `editorial`, is the only response that contains an editorial. It is refused until the
    # challenge is solved or given up.
    fields = {field for name, shape in shapes if name != "EditorialView" for field in shape.get("properties", {})}
    assert not fields & {"seed", "seeds", "password_hash", "token_hash", "editorial", "lease_until"}


@anyio
async def test_every_answer_carries_security_headers_and_a_request_id(service: Service) -> None:
    for path in ("/", "/api/docs", "/api/health", "/api/nothing", "/nothing"):
        answer = await service.client().get(path, headers={"X-Request-ID": "my-request-1"})
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-request-id"] == "my-request-1"
    strange = await service.client().get("/api/health", headers={"X-Request-ID": "a b\tc"})
    assert strange.headers["x-request-id"] != "a b\tc"


@anyio
async def test_unknown_address_and_method_have_the_one_shape(service: Service) -> None:
    client = service.client()
    for answer, code in (
        (await client.get("/api/nothing"), "not_found"),
        (await client.put("/api/health"), "method_not_allowed"),
    ):
        assert (answer.json()["code"], answer.json()["status"]) == (code, answer.status_code)


@anyio
async def test_surprise_is_a_plain_500(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service.state.dispatcher, "nodes", None)
    answer = await service.client().get("/api/queue")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert "Traceback" not in answer.text
    assert "NoneType" not in answer.text


@anyio
async def test_pages_need_nothing_from_elsewhere(service: Service) -> None:
    for path in ("/", "/api/docs"):
        text = (await service.client().get(path)).text
        assert "<script" not in text
        assert "src=" not in text
    docs = (await service.client().get("/api/docs")).text
    assert "/api/submissions/{submission_id}/events" in docs
    landing = (await service.client().get("/")).text
    assert "offers 1 challenge." in landing
    assert f"{service.url}/api/accounts" in landing


@anyio
async def test_host_header_cannot_put_markup_into_the_page(service: Service) -> None:
    answer = await service.client().get("/", headers={"Host": 'x"><b>hi'})
    assert "<b>hi" not in answer.text


@anyio
async def test_readiness_names_what_is_missing(service: Service) -> None:
    answer = await service.client().get("/api/ready")
    told = answer.json()
    assert (answer.status_code, told["ready"], told["database"]["ok"]) == (503, False, True)
    assert told["grading"] == {"ok": False, "reason": "No grading node is connected."}
    node = await service.node()
    await node.ready()
    assert (await service.client().get("/api/ready")).json()["slots"] == 2
    assert (await service.client().get("/api/health")).json()["status"] == "ok"


@anyio
async def test_nodes_are_shown_to_admins(service: Service) -> None:
    admin = await service.admin()
    await service.node("b")
    a = await service.node("a")
    items = (await admin.http.get("/api/admin/nodes")).json()["items"]
    assert [(item["name"], item["judging"], item["device"]) for item in items] == [("a", 0, "cpu"), ("b", 0, "cpu")]
    assert [item["speed"] for item in items] == [None, None]
    await a.say(transport.Heartbeat((), speed=0.5))
    async with asyncio.timeout(10):
        while [item["speed"] for item in items] != [0.5, None]:
            items = (await admin.http.get("/api/admin/nodes")).json()["items"]
    assert (await (await service.person()).http.get("/api/admin/nodes")).status_code == 403


@anyio
async def test_node_socket_is_closed_to_others(service: Service) -> None:
    assert service.settings.socket.stat().st_mode & 0o777 == 0o600
    assert service.settings.socket.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "gradus.example"])
def test_process_cells_are_not_served_to_others(home: Path, host: str) -> None:
    with pytest.raises(ConfigurationError, match="refusing to serve"):
        create_app(settings_in(home, host=host, node_cells="process"))
    create_app(settings_in(home, host=host, node_cells="docker"))
    create_app(settings_in(home, host=host, node_cells="process", allow_public_process_cells=True))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.0.0.2"])
def test_process_cells_are_served_to_this_machine(home: Path, host: str) -> None:
    create_app(settings_in(home, host=host, node_cells="process"))


def test_socket_path_that_is_too_long_is_refused(home: Path) -> None:
    with pytest.raises(ConfigurationError, match="too long"):
        create_app(settings_in(home, node_socket=home / ("x" * 100)))


@pytest.mark.parametrize("url", ["mysql://db/gradus", "postgresql://db/gradus", "sqlite:///x.db", "nonsense"])
def test_databases_that_it_does_not_speak_with_are_refused(home: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match=r"write postgresql\+psycopg://"):
        create_app(settings_in(home, database_url=url))


def test_impossible_settings_are_refused(home: Path) -> None:
    with pytest.raises(ValidationError, match="node_slots"):
        settings_in(home, node_slots=0)


def test_node_inherits_no_secret(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADUS_DATABASE_URL", "postgresql://me:secret@db/x")
    monkeypatch.setenv("CLOUD_API_KEY", "secret")
    assert "secret" not in str(plain_environment())
    assert "secret" not in str(command(settings_in(home)))
    assert "PATH" in plain_environment()


def test_node_command_line(home: Path) -> None:
    told = command(settings_in(home, node_slots=3, node_cells="process", node_image="gradus-grader:1"))
    assert told[1:3] == ["-m", "grader"]
    assert told[3:] == [
        *("--socket", str(home / "var" / "run" / "node.sock")),
        *("--packages", str(home / "challenges")),
        *("--slots", "3", "--kept", str(home / "var" / "versions")),
        *("--cells", "process", "--cpu-shares", "256", "--log-format", "auto", "--image", "gradus-grader:1"),
    ]


@anyio
async def test_migrations_make_the_tables_that_the_code_describes(home: Path) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    db = Database(settings_in(home, database_url="").database)
    await db.migrate()
    await db.migrate()
    async with db._writer.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), Table.metadata)
        )
        settings = [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar() for name in
                    ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")]  # fmt: skip
    await db.close()
    assert differences == []
    assert settings == ["wal", 2, 1, 5000]


@anyio
async def test_request_is_logged_without_its_content(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    await service.client().post("/api/session", json={"email": "a@example.org", "password": "hunter2 hunter2"})
    captured = capsys.readouterr()
    lines = captured.out + captured.err
    assert "/api/session" in lines
    assert "hunter2" not in lines
    assert json.dumps("a@example.org") not in lines
