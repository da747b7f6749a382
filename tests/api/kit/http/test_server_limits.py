"""Tests that requests that are too large, too slow or too many are refused at little cost. The error has the common format and
says what to do.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.kit.http.request_limits import HEAD_KB, HEADERS, PARAMETERS, URL_KB
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import Service, running, settings_in

pytestmark = pytest.mark.anyio
HOST = "Host: 127.0.0.1\r\n"
MANY = "".join(f"X-{number}: y\r\n" for number in range(HEADERS))
WITHIN_S = 20


@pytest.fixture
async def impatient(home: Path) -> AsyncIterator[Service]:
    """A service with short timeouts."""
    write_challenge(home / "challenges")
    async with running(settings_in(home, body_s=0.8, head_s=1.5, unread_s=0.4)) as service:
        yield service


async def connect(service: Service) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a raw TCP connection, on which the test controls every byte."""
    host, _, port = service.url.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


async def _all_of(reader: asyncio.StreamReader) -> bytes:
    """Return all data received until the connection ends, even if the service closed it while the client was still sending."""
    raw = b""
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(4096):
            raw += part
    return raw


async def told(service: Service, *parts: str, pause_s: float = 0) -> tuple[int, dict[str, Any]]:
    """Send the parts with a pause after each, and read until the service closes the connection. Return status and body."""
    reader, writer = await connect(service)
    reading = asyncio.create_task(_all_of(reader))
    for part in parts:
        writer.write(part.encode("latin-1"))
        await asyncio.sleep(pause_s)
        if reading.done():
            break
    async with asyncio.timeout(WITHIN_S):
        raw = await reading
    writer.close()
    head, _, body = raw.partition(b"\r\n\r\n")
    assert b"nosniff" in head
    answer: dict[str, Any] = json.loads(body)
    return int(head.split()[1]), answer


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (f"GET /api/health?{'q' * URL_KB * 1024} HTTP/1.1\r\n{HOST}", 414, "address_too_long"),
        (f"GET /{'x' * URL_KB * 1024} HTTP/1.1\r\n{HOST}", 414, "address_too_long"),
        (f"GET /api/health?{'&'.join(['q'] * (PARAMETERS + 1))} HTTP/1.1\r\n{HOST}", 422, "too_many_parameters"),
        (f"GET /api/health HTTP/1.1\r\n{HOST}Cookie: {'c' * HEAD_KB * 1024}\r\n", 431, "headers_too_large"),
        (f"GET /api/health HTTP/1.1\r\n{HOST}{MANY}", 431, "headers_too_large"),
        ("GET /api/health HTTP/1.1\r\n", 400, "malformed_request"),
        ("HELLO\r\n", 400, "malformed_request"),
        (f"GET /api/health HTTP/1.1\r\n{HOST}X: a\x00b\r\n", 400, "malformed_request"),
        (f"POST /api/session HTTP/1.1\r\n{HOST}Content-Length: 9{'9' * 30}\r\n", 400, "malformed_request"),
        (f"POST /api/session HTTP/1.1\r\n{HOST}Content-Length: 99999999999\r\n", 413, "body_too_large"),
        (f"POST /api/session HTTP/1.1\r\n{HOST}Content-Length: 5\r\nContent-Length: 6\r\n", 400, "malformed_request"),
    ],
)  # fmt: skip
async def test_head_of_a_request_is_bounded(impatient: Service, head: str, status: int, code: str) -> None:
    got, body = await told(impatient, head.rstrip("\r\n") + "\r\nConnection: close\r\n\r\n")
    assert (got, body["code"], body["status"]) == (status, code, status)
    assert body["message"].endswith((".", "KiB."))


async def test_head_without_an_end_is_given_up(impatient: Service) -> None:
    for size in (80_000, 400_000):
        status, body = await told(impatient, f"GET / HTTP/1.1\r\n{HOST}X: {'c' * size}", pause_s=0.1)
        assert (status, body["code"]) in ((400, "malformed_request"), (408, "request_too_slow"))


async def test_body_that_drips_is_given_up(impatient: Service) -> None:
    head = f"POST /api/session HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
    for announced in ("Content-Length: 100\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"):
        status, body = await told(impatient, head + announced, pause_s=0.2)
        assert (status, body["code"]) == (408, "request_too_slow")
    status, body = await told(impatient, head + "Transfer-Encoding: chunked\r\n\r\n", *["1\r\n{\r\n"] * 20, pause_s=0.1)
    assert status == 408, "each part came in time, but not the whole"


async def test_head_that_drips_is_given_up(impatient: Service) -> None:
    status, body = await told(impatient, *"GET /api/health/and/so/on", pause_s=0.1)
    assert (status, body["code"]) == (408, "request_too_slow")


async def test_connection_without_a_word_is_closed(impatient: Service) -> None:
    reader, writer = await connect(impatient)
    async with asyncio.timeout(WITHIN_S):
        assert await reader.read() == b""
    writer.close()


async def test_second_request_of_a_connection_must_be_quick_too(impatient: Service) -> None:
    reader, writer = await connect(impatient)
    writer.write(f"GET /api/health HTTP/1.1\r\n{HOST}\r\n".encode())
    await reader.readuntil(b'"ok"')
    await asyncio.sleep(2)
    writer.write(b"GET /ap")
    async with asyncio.timeout(WITHIN_S):
        assert b"408" in await reader.read(), "idle it may be for longer, but not in the middle of a head"
    writer.close()


async def test_body_that_nobody_wants_is_not_read_for_ever(impatient: Service) -> None:
    _, writer = await connect(impatient)
    writer.write(f"GET /api/health HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n".encode())
    async with asyncio.timeout(WITHIN_S):
        while not writer.transport.is_closing():
            writer.write(b"5\r\nxxxxx\r\n")
            await asyncio.sleep(0.05)


async def test_answer_that_is_not_read_is_dropped(impatient: Service) -> None:
    _, writer = await connect(impatient)
    writer.write(f"GET /api/openapi.json HTTP/1.1\r\n{HOST}\r\n".encode() * 600)
    async with asyncio.timeout(WITHIN_S):
        while not writer.transport.is_closing():
            await asyncio.sleep(0.1)
            writer.write(b"\r\n")
    assert (await impatient.client().get("/api/health")).status_code == 200


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"[" * 500_000, "nested too deeply"),
        (b'{"a":' * 200_000, "nested too deeply"),
        (b'{"email": ' + b"9" * 100_000 + b"}", "a number has too many digits"),
        (b'{"email": NaN}', "NaN is not a JSON number"),
        (b'{"email": -Infinity}', "-Infinity is not a JSON number"),
        (b'{"email": 1e999999999}', "email"),
        (b"{" + b",".join(b'"%d": 1' % number for number in range(100_000)) + b"}", "is required"),
        (b'{"email": [' + b",".join([b"0"] * 500_000) + b"]}", "email"),
        (b'"\xff', "not valid JSON"),
    ],
)
async def test_json_made_to_cost_much_is_refused_cheaply(service: Service, body: bytes, what: str) -> None:
    for path in ("/api/session", "/api/accounts"):
        answer = await service.client().post(path, content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
        assert what in answer.text
        assert len(answer.content) < 10_000


async def test_unknown_parameters_are_named_but_not_all(service: Service) -> None:
    answer = await service.client().get("/api/challenges?" + "&".join(f"x{number}=" for number in range(PARAMETERS)))
    assert (answer.status_code, len(answer.json()["fields"])) == (422, 20)


async def test_streams_of_all_together_are_limited_and_given_back(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, streams=2)) as service:
        people = [await service.person(name) for name in ("ada", "bob", "cyd")]
        paths = [f"/api/submissions/{(await person.send())['id']}/events" for person in people]
        async with people[0].http.stream("GET", paths[0]), people[1].http.stream("GET", paths[1]):
            refused = await people[2].http.get(paths[2])
            assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")
            assert "Reload the page from time to time instead." in refused.json()["message"]
        async with asyncio.timeout(WITHIN_S):
            while service.state.hub.streams():
                await asyncio.sleep(0.01)
        async with people[2].http.stream("GET", paths[2]) as answer:
            assert answer.status_code == 200


async def test_stream_ends_after_its_time_and_who_was_signed_out_cannot_resume(home: Path) -> None:
    write_challenge(home / "challenges")
    async with running(settings_in(home, stream_s=0.3, keep_alive_s=0.1)) as service:
        ada = await service.person()
        path = f"/api/submissions/{(await ada.send())['id']}/events"
        async with asyncio.timeout(WITHIN_S):
            first = await ada.http.get(path)
        assert b"event: queued" in first.content
        assert (await ada.http.get(path)).status_code == 200
        cookie = ada.http.cookies["gradus_session"]
        await ada.http.delete("/api/me/sessions")
        assert (await service.client(cookies={"gradus_session": cookie}).get(path)).status_code == 401
