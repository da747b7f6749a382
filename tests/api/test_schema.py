"""Runs schemathesis on the whole API: responses match the description, for valid and invalid requests, and are never 5xx."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.api.challenge_folders import write_challenge
from tests.api.running_service import running, settings_in
from tests.api.topic_folders import write_topic, write_track

pytestmark = pytest.mark.anyio
CONFIG = Path(__file__).parent / "schemathesis.toml"
# These operations would end the session that all other requests use. (Schemathesis once found the id of its own session in the
# list of sessions, and revoked it.) Therefore they are tested without a session, like the public operations.
ENDING = ("sign_in", "sign_out", "register", "set_up", "revoke_all_sessions", "revoke_session")
PUBLIC = (*ENDING, "list_challenges", "get_challenge", "search", "health", "ready", "get_queue", "create_submission")
# High limits, so that the service does not refuse requests of this test as too many. Only the limits for registering and
# signing in stay low, because argon2 makes each attempt slow anyway.
GENEROUS: dict[str, Any] = {
    "registrations_per_hour": 20,
    "requests_per_minute": 100_000,
    "unfinished_per_account": 100_000,
    "submissions_per_minute": 100_000,
    "submissions_per_challenge_a_day": 100_000,
    "own_inputs_per_challenge_an_hour": 100_000,
    "api_tokens": 100_000,
    "sign_in_failures": 20,
    "stream_s": 0.5,
    "keep_alive_s": 0.2,
}
LIMIT_S = 240


async def explore(home: Path, url: str, *arguments: str) -> str:
    """Run schemathesis to its end. Return its findings, or an empty string if there are none."""
    command = (sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", f"{url}/api/openapi.json")
    process = await asyncio.create_subprocess_exec(
        *command, "--no-color", *arguments, cwd=home, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    text = told.decode()
    assert "Tested: " in text, text
    return "" if process.returncode == 0 else f"{' '.join((*command, *arguments))}\n{text}"


@pytest.mark.parametrize("who", ["nobody", "admin"])
async def test_answers_are_as_described(home: Path, who: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_challenge(home / "challenges")
    write_topic(home / "challenges")
    write_track(home / "challenges")
    async with running(settings_in(home, **GENEROUS)) as service:
        node = await service.node()
        await node.ready(other=0)
        admin = await service.admin()
        if who == "admin":
            arguments = ["-H", f"Cookie: gradus_session={admin.http.cookies['gradus_session']}"]
            arguments += [part for name in ENDING for part in ("--exclude-operation-id", name)]
        else:
            arguments = [part for name in PUBLIC for part in ("--include-operation-id", name)]
        if told := await explore(home, service.url, *arguments):
            pytest.fail(told, pytrace=False)
        assert (await admin.http.get("/api/me")).json()["id"], "all was asked with a session that lives"
    assert "request_failed" not in capsys.readouterr().out
