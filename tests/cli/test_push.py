"""Tests that `gradus push` saves a folder as a challenge of a team, and waits until the gate has ended."""

import asyncio
import json
from pathlib import Path

from grader.contract import transport
from tests.api.challenge_folders import LOCK
from tests.api.hiring.authoring.authoring_rig import RECORD, files_in
from tests.cli.conftest import NUMBERS, Person, Served


def author(served: Served, stranger: Person) -> str:
    """Give the user a token and a team. Return the team's id."""

    async def registered() -> tuple[str, str]:
        person = await served.service.person(f"author-{next(NUMBERS)}")
        team = (await person.http.post("/api/teams", json={"name": "Tensor people"})).json()["id"]
        return (await person.http.post("/api/me/tokens", json={"name": "cli"})).json()["token"], team

    token, team = served.call(registered())
    stranger.environment["GRADUS_TOKEN"] = token
    return str(team)


def folder_in(home: Path) -> Path:
    """Write a complete challenge folder that also contains files that other programs leave behind. Return its path."""
    folder = home / "ours"
    for name, text in {**files_in(home / "made"), "tests.lock": "{}", ".cache/x.py": "x"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


async def prove(served: Served) -> None:
    """Connect a fake node that reports that every challenge passes the gate. The node handles one challenge."""
    node = await served.service.node("prover", proves=True)
    await node.ready()
    async with asyncio.timeout(20):
        while not isinstance(asked := await node.hear(), transport.Prove):
            pass
    locks = {"tests.lock": json.dumps(LOCK)}
    await node.say(transport.Proved(asked.id, asked.token, passed=True, written=locks, report=RECORD))


def test_a_folder_is_pushed_and_proven(served: Served, stranger: Person, tmp_path: Path) -> None:
    team, folder = author(served, stranger), folder_in(tmp_path)
    told = stranger.ok("push", str(folder), "--team", team, "--no-gate")
    # Missing parts are reported, but the gate can still run.
    assert told.splitlines() == [
        "the challenge: has 3 tests, at least 12 are needed",
        "the challenge: has 2 samples, at least 3 are needed",
        "the challenge: has 2 wrong answers, at least 6 are needed",
        "Add one, ours, version 1: saved.",
    ]
    gate = asyncio.run_coroutine_threadsafe(prove(served), served.loop)
    told = stranger.ok("push", str(folder), "--team", team)
    gate.result(20)
    assert "version 1: proven, 75% of the mutants caught" in " ".join(told.split())


def test_what_is_to_be_mended_is_told(served: Served, stranger: Person, tmp_path: Path) -> None:
    team, folder = author(served, stranger), folder_in(tmp_path)
    (folder / "challenge.toml").write_text('tilte = "x"\n')
    result = stranger.gradus("push", str(folder), "--team", team)
    assert result.exit_code == 1
    assert "challenge.toml: Object" in result.stdout
    assert "no challenge.toml" in stranger.refused("push", str(tmp_path), "--team", team, exit_code=2)
    assert "not in a team with this ID" in stranger.refused("push", str(folder), "--team", "0" * 32, exit_code=3)
