"""Tests how the service serves the files and pages of the built web client, and how it answers for all other paths."""

import gzip
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from api.kit.http.static_client import client
from tests.api.running_service import running, settings_in

anyio = pytest.mark.anyio
SECRET = "SECRET-BESIDE-THE-CLIENT"


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A client as the build creates it, and a file next to it that must not be served."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>The client</title>")
    (folder / "assets" / "index-abc123.js").write_text("let x = 1\n" * 500)
    for ending, compress in ((".gz", gzip.compress), (".br", lambda text: b"brotli of " + text[:3])):
        (folder / "assets" / f"index-abc123.js{ending}").write_bytes(compress(b"let x = 1\n" * 500))
    (folder / "mark.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text(SECRET)
    return folder


def ask(folder: Path) -> httpx.AsyncClient:
    served = client(folder)
    assert served is not None
    app = Starlette(routes=[Mount("/", served)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


@anyio
@pytest.mark.parametrize("path", ["/", "/catalogue", "/challenges/x", "/topics/a/quiz?x=1"])
async def test_pages_get_the_client_and_its_policy(built: Path, path: str) -> None:
    async with ask(built) as http:
        answer = await http.get(path)
    assert answer.status_code == 200
    assert "The client" in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert "default-src 'none'" in policy


@anyio
async def test_built_files_are_kept_for_ever(built: Path) -> None:
    async with ask(built) as http:
        answer = await http.get("/assets/index-abc123.js")
        other = await http.get("/mark.svg")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" not in other.headers["cache-control"]


@anyio
@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0.5", "gzip"),
        ("identity", None),
        ("gzip; q=0", None),
        ("brotli, xgzip", None),
        ("", None),
    ],
)
async def test_the_best_copy_that_a_browser_takes_is_sent(built: Path, accepted: str, coding: str | None) -> None:
    async with (
        ask(built) as http,
        http.stream("GET", "/assets/index-abc123.js", headers={"Accept-Encoding": accepted}) as got,
    ):
        raw = b"".join([part async for part in got.aiter_raw()])
    assert got.headers.get("content-encoding") == coding
    assert got.headers["content-type"].startswith("text/javascript")
    whole = b"let x = 1\n" * 500
    assert raw == {"br": b"brotli of let", "gzip": gzip.compress(whole), None: whole}[coding]


@anyio
@pytest.mark.parametrize("ending", [".gz", ".br"])
async def test_copies_have_no_address_of_their_own(built: Path, ending: str) -> None:
    async with ask(built) as http:
        assert (await http.get(f"/assets/index-abc123.js{ending}")).status_code == 404


@anyio
async def test_built_files_travel_compressed_once(home: Path, built: Path) -> None:
    async with running(settings_in(home, web_dir=built)) as service:
        zipped = await service.client().get("/assets/index-abc123.js", headers={"Accept-Encoding": "gzip"})
        plain = await service.client().get("/assets/index-abc123.js", headers={"Accept-Encoding": "identity"})
        small = await service.client().get("/mark.svg", headers={"Accept-Encoding": "gzip"})
    assert (zipped.headers["content-encoding"], zipped.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert int(zipped.headers["content-length"]) < len(plain.content)
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in small.headers, "compressing would make it larger"
    assert zipped.text == plain.text == "let x = 1\n" * 500


@anyio
async def test_what_the_build_keeps_for_itself_is_not_served(built: Path) -> None:
    (built / ".vite").mkdir()
    (built / ".vite" / "manifest.json").write_text("{}")
    async with ask(built) as http:
        assert (await http.get("/.vite/manifest.json")).status_code == 404


@anyio
@pytest.mark.parametrize(
    ("verb", "path", "status"),
    [
        ("GET", "/assets/index-old.js", 404),
        ("GET", "/no/such/page", 404),
        ("GET", "/challenges/../x", 404),
        ("GET", "/api", 404),
        ("GET", "/api/nothing", 404),
        ("POST", "/catalogue", 405),
        ("DELETE", "/assets/index-abc123.js", 405),
    ],
)
async def test_what_is_neither_file_nor_page(built: Path, verb: str, path: str, status: int) -> None:
    async with ask(built) as http:
        assert (await http.request(verb, path)).status_code == status


@anyio
@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "//secret.txt",
    ],
)
async def test_nothing_beside_the_client_is_served(built: Path, path: str) -> None:
    async with ask(built) as http:
        assert SECRET not in (await http.get(httpx.URL(f"http://test{path}"))).text


@anyio
async def test_service_serves_the_client_beside_its_api(home: Path, built: Path) -> None:
    async with running(settings_in(home, web_dir=built)) as service:
        page = await service.client().get("/challenges/add-one")
        missing = await service.client().get("/api/nothing")
        listed = await service.client().get("/api/challenges")
    assert "The client" in page.text
    assert page.headers["x-content-type-options"] == "nosniff"
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert listed.status_code == 200


def test_without_a_build_there_is_no_client(tmp_path: Path) -> None:
    assert client(tmp_path) is None
