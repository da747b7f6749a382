"""Tests signing in and out: what the client stores, which of several services it uses, and how it fails without a token."""

import json
import stat
from pathlib import Path

import httpx
import pytest

from frontend.cli.failure import Failure
from frontend.cli.service import servers
from tests.cli.conftest import Person, Served


@pytest.fixture
def token(served: Served, stranger: Person, request: pytest.FixtureRequest) -> str:
    """The API token of a new account. The fixture also removes the service's URL from the environment."""
    del stranger.environment["GRADUS_URL"]
    return served.token(request.node.name[-60:])


def test_token_is_taken_from_a_pipe_stored_privately_and_revoked(stranger: Person, served: Served, token: str) -> None:
    assert "Signed in at" in stranger.ok("login", served.url, given=f"{token}\n")
    stored = Path(stranger.environment["XDG_CONFIG_HOME"]) / "gradus" / "servers.json"
    assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    assert json.loads(stored.read_text())["current"] == served.url
    assert [path.name for path in stored.parent.iterdir()] == ["servers.json"]
    assert f"account at {served.url}" in stranger.ok("whoami", columns=200)
    assert token not in stranger.ok("use")
    assert "its token was revoked" in stranger.ok("logout")
    assert httpx.get(f"{served.url}/api/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert "You are not signed in anywhere" in stranger.ok("use")
    assert "not signed in at" in stranger.refused("logout", exit_code=2)


def test_wrong_token_is_not_stored(stranger: Person, served: Served, token: str) -> None:
    assert "does not know this token" in stranger.refused("login", served.url, given="grd_wrong\n", exit_code=3)
    assert "An email address came" in stranger.refused("login", served.url, given="eve@example.org\n", exit_code=2)
    assert "No token came" in stranger.refused("login", served.url, given="\n", exit_code=2)
    assert "You are not signed in anywhere" in stranger.ok("use")


def test_without_an_account_whoami_says_so(stranger: Person, served: Served) -> None:
    told = stranger.refused("whoami", exit_code=3, GRADUS_URL=served.url)
    assert "Sign in first: gradus login" in told


def test_environment_goes_before_what_is_stored(stranger: Person, served: Served, token: str) -> None:
    stranger.ok("login", served.url, given=f"{token}\n")
    told = stranger.refused("whoami", exit_code=3, GRADUS_TOKEN="grd_revoked")
    assert "Sign in again: gradus login" in told
    told = stranger.refused("whoami", exit_code=3, GRADUS_URL="http://127.0.0.1:9")
    assert "You are not signed in at http://127.0.0.1:9" in told
    told = stranger.refused("list", exit_code=3, GRADUS_URL="http://127.0.0.1:9")
    assert "http://127.0.0.1:9 does not respond" in told


def test_without_a_token_one_reads_but_sends_nothing(stranger: Person) -> None:
    assert "add-one" in stranger.ok("list")
    stranger.ok("pull", "add-one")
    assert "Sign in first: gradus login" in stranger.refused("run", "add-one", exit_code=3)
    assert "Sign in first" in stranger.refused("history", exit_code=3)


def test_several_services_and_one_of_them_current(stranger: Person, served: Served, token: str) -> None:
    other = served.url.replace("127.0.0.1", "localhost")
    stranger.ok("login", served.url, given=f"{token}\n")
    stranger.ok("login", other, given=f"{token}\n")
    assert f"* {other}" in stranger.ok("use")
    stranger.ok("use", served.url)
    assert f"* {served.url}" in stranger.ok("use")
    assert "not signed in at https://elsewhere.example" in stranger.refused("use", "elsewhere.example", exit_code=2)


def test_damaged_file_is_told(stranger: Person, token: str) -> None:
    folder = Path(stranger.environment["XDG_CONFIG_HOME"]) / "gradus"
    folder.mkdir(parents=True)
    (folder / "servers.json").write_text("{")
    assert "Remove it and sign in again" in stranger.refused("whoami", exit_code=3)


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("gradus.example.org", "https://gradus.example.org"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000/", "http://127.0.0.1:8000"),
        (" https://example.org/gradus/ ", "https://example.org/gradus"),
    ],
)
def test_addresses_take_one_form(given: str, stored: str) -> None:
    assert servers.normal(given) == stored


@pytest.mark.parametrize(
    "given", ["", "ftp://x", "http://", "http://a:b@c", "http://x?y", "http://x:99999", "http://x\x1b[2J"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(Failure, match="is not the URL"):
        servers.normal(given)
