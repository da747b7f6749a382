"""Simulates an author who writes a challenge for a team, and the gate that checks the challenge. The test decides the gate's
result.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx

from grader.contract import transport
from tests.api.challenge_folders import LOCK, write_challenge
from tests.api.running_service import Person
from tests.api.scripted_node import ScriptedNode

WRONG = "# caught by: test_zero\ndef add_one(x):\n    return x\n"
STATEMENT = "Write `add_one(x)`: one number goes in, an `int`, and one comes out.\n"
RECORD: dict[str, Any] = {
    "kill_rate": 0.75,
    "judgings": 40,
    "seconds": 3.5,
    "lock": LOCK["tests"],
    "answers": [{"name": "same.py", "verdict": "WA", "caught_by": "test_zero"}],
    "mutants": [
        {"id": "swap-1", "operator": "swap", "line": 2, "diff": "-x + 1\n+x - 1", "end": "killed", "by": "test_zero"}
    ],
    "saboteurs": [{"id": "zeros", "text": "results are zeros", "end": "survived"}],
}


def files_in(home: Path, title: str = "Add one, ours") -> dict[str, str]:
    """Return the files of a valid challenge by path, as an author sends them."""
    folder = write_challenge(home / title.replace(" ", "-"), "ours", "own", title=title)
    (folder / "tests.lock").unlink()
    (folder / "statement.md").write_text(STATEMENT)
    wrong = folder / "submissions" / "wa"
    wrong.mkdir()
    (wrong / "same.py").write_text(WRONG)
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


class Author:
    """The author of one challenge that belongs to a team."""

    def __init__(self, person: Person, team: str) -> None:
        self.http = person.http
        self.path = f"/api/teams/{team}/challenges"
        self.one = ""

    async def make(self, slug: str = "add-one") -> dict[str, Any]:
        """Create a challenge from the scaffold. Its name may be the same as that of a challenge in the catalogue."""
        told = good(await self.http.post(self.path, json={"slug": slug}), 201)
        self.one = f"{self.path}/{told['id']}"
        return told

    async def look(self) -> dict[str, Any]:
        """Return the challenge in its current state."""
        return good(await self.http.get(self.one))

    async def save(self, files: dict[str, str]) -> dict[str, Any]:
        """Save these files. They replace all files of the challenge."""
        version = (await self.look())["version"]
        return good(await self.http.put(f"{self.one}/files", json={"version": version, "files": files}))

    async def prove(self, node: ScriptedNode, **more: Any) -> transport.Prove:
        """Run the gate. The scripted node reports that the challenge has passed, or the given result."""
        good(await self.http.post(f"{self.one}/gate"), 202)
        asked = await node.hear()
        assert isinstance(asked, transport.Prove), asked
        locks = {"tests.lock": json.dumps({**LOCK, "proof": asked.token})}
        values: dict[str, Any] = {"passed": True, "written": locks, "report": RECORD, **more}
        await node.say(transport.Proved(asked.id, asked.token, **values))
        return asked

    async def publish(self, node: ScriptedNode, files: dict[str, str]) -> dict[str, Any]:
        """Save the files, pass the gate and publish the version. Return the challenge."""
        await self.save(files)
        await self.prove(node)
        await self.until("passed")
        return good(await self.http.post(f"{self.one}/publish"))

    async def until(self, gate: str) -> dict[str, Any]:
        """Wait until the gate has this state. Return the challenge."""
        async with asyncio.timeout(20):
            while (told := await self.look())["gate"] != gate:
                await asyncio.sleep(0.05)
        return told


def good(answer: httpx.Response, status: int = 200) -> dict[str, Any]:
    """Check the status of a response, and return its JSON body."""
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.json()
    return told
