"""An interview with two interviewers and a candidate, in which the service is killed and the candidate loses the network, with as
many edits as an hour has. At the end, everybody has the same code, and no letter and no event is missing.
"""

import asyncio
import os
import signal
from pathlib import Path

import httpx
import pytest

from tests.api.challenge_folders import write_challenge
from tests.api.hiring.rooms.room_rig import Editor, cookies_of, socket_url, until
from tests.live import Live, free_port, launch

pytestmark = pytest.mark.anyio
# A candidate who types during half of an hour types about 6,000 letters. Interviewers type less.
LETTERS = {"Ada": 1500, "Bea": 1500, "Cem": 6000}
# Seconds between two letters. Nobody types as fast, so the hour takes a minute.
PAUSE_S = 0.004
PASSWORD = "ten characters"


class People:
    """The two interviewers and the candidate, each with a client and an open page."""

    def __init__(self, url: str) -> None:
        self.clients = {name: httpx.Client(base_url=url, timeout=30) for name in LETTERS}
        for name in ("Ada", "Bea"):
            body = {"email": f"{name.lower()}@example.org", "name": name, "password": PASSWORD}
            assert self.clients[name].post("/api/accounts", json=body).status_code == 201
        ada = self.clients["Ada"]
        self.team = ada.post("/api/teams", json={"name": "Tensor people"}).json()["id"]
        invited = ada.post(
            f"/api/teams/{self.team}/invitations", json={"email": "bea@example.org", "role": "reviewer"}
        ).json()
        token = invited["link"].partition("#")[2]
        assert self.clients["Bea"].post("/api/team-invitations/accept", json={"token": token}).status_code < 300
        made = ada.post(f"/api/teams/{self.team}/rooms", json={"title": "An hour", "challenges": ["add-one"]}).json()
        self.room = made["room_id"]
        assert ada.post(f"/api/rooms/{self.room}/challenge", json={"name": "add-one"}).status_code == 200
        entering = {"token": made["candidate"].partition("#")[2], "name": "Cem"}
        assert self.clients["Cem"].post("/api/room-links/enter", json=entering).status_code == 200
        at = socket_url(url, self.room)
        self.pages = {name: Editor(at, cookies_of(client)) for name, client in self.clients.items()}

    async def close(self) -> None:
        for page in self.pages.values():
            await page.close()
        for client in self.clients.values():
            client.close()


async def write(name: str, page: Editor) -> None:
    """Type numbered words, one letter at a time, at the end of this person's line. Somebody without a connection just goes on."""
    number = 0
    typed = 0
    while typed < LETTERS[name]:
        word = f" {name[0]}{number}"
        for letter in word:
            text = str(page.text)
            page.type(letter, at=text.index("\n", text.index(f"{name}:")))
            await asyncio.sleep(PAUSE_S)
        typed += len(word)
        number += 1


def words_of(name: str, text: str) -> list[str]:
    """Return the words of a person's line."""
    line = text[text.index(f"{name}:") :].partition("\n")[0]
    return line.split()[1:]


def start(folder: Path, port: int) -> Live:
    return launch(folder / "var", challenges=folder / "challenges", port=port, local_node="false")


async def test_an_interview_survives_a_killed_service_and_a_lost_network(home: Path) -> None:
    write_challenge(home / "challenges")
    port = free_port()
    service = start(home, port)
    try:
        await asyncio.to_thread(service.wait_until_ready, path="/api/health")
        people = await asyncio.to_thread(People, service.url)
        open_pages = [asyncio.create_task(page.keep_open()) for page in people.pages.values()]
        # Each person has a line. If these began at the same moment, a letter could get into the line of somebody else.
        ada, cem = people.pages["Ada"], people.pages["Cem"]
        await until(lambda: len(ada.text) > 0)
        ada.type("".join(f"\n{name}:" for name in LETTERS) + "\n")
        await until(lambda: all("Cem:" in str(page.text) for page in people.pages.values()))
        writing = asyncio.gather(*(write(name, page) for name, page in people.pages.items()))
        await until(lambda: len(cem.text) > 1000, within_s=60)
        noted = await asyncio.to_thread(
            people.clients["Bea"].post, f"/api/rooms/{people.room}/notes", json={"text": "Begins with the mask."}
        )
        assert noted.status_code == 201
        ran = await asyncio.to_thread(
            people.clients["Cem"].post, f"/api/rooms/{people.room}/submissions", json={"kind": "run"}
        )
        assert ran.status_code == 201

        cem.cut()
        await until(lambda: len(cem.text) > 3000, within_s=60)
        os.kill(service.process.pid, signal.SIGKILL)
        service.process.wait()
        before = len(cem.text)
        service = start(home, port)
        await asyncio.to_thread(service.wait_until_ready, path="/api/health")
        assert len(cem.text) > before, "people go on writing while there is no service"

        await asyncio.wait_for(writing, 300)
        await until(lambda: all(page.is_saved for page in people.pages.values()), within_s=60)
        await until(lambda: len({str(page.text) for page in people.pages.values()}) == 1, within_s=60)
        await _require_whole(people, str(cem.text))
        for task in open_pages:
            task.cancel()
        await people.close()
    finally:
        service.process.kill()
        service.process.wait()


async def _require_whole(people: People, text: str) -> None:
    """Check the code that the service has, the replay, and the transcript."""
    for name, letters in LETTERS.items():
        words = words_of(name, text)
        assert words == [f"{name[0]}{number}" for number in range(len(words))], name
        assert sum(len(word) + 1 for word in words) >= letters
    late = Editor(people.pages["Ada"].url, people.pages["Ada"].headers)
    await late.open()
    await until(lambda: str(late.text) == text)
    await late.close()

    ada = people.clients["Ada"]
    replay = (await asyncio.to_thread(ada.get, f"/api/rooms/{people.room}/replay/1")).json()["steps"]
    rebuilt = ""
    for step in replay:
        rebuilt = rebuilt[: step["from"]] + step["text"] + rebuilt[step["to"] :]
    assert rebuilt == text
    told = (await asyncio.to_thread(ada.get, f"/api/rooms/{people.room}/transcript")).json()
    names = {each["id"]: each["name"] for each in told["people"]}
    by = {names[step["by"]] for step in replay if step["by"]}
    assert by == set(LETTERS)
    kinds = [each["kind"] for each in told["events"]]
    assert (kinds[0], kinds.count("challenge"), kinds.count("run")) == ("created", 1, 1)
    joined = [names[each["by"]] for each in told["events"] if each["kind"] == "joined"]
    assert all(joined.count(name) >= 2 for name in LETTERS), "each person joined again after the service was killed"
    assert [each["by"] for each in told["events"]].count(None) == 1
    review = (await asyncio.to_thread(ada.get, f"/api/rooms/{people.room}/review")).json()
    assert [(each["author"], each["text"]) for each in review["notes"]] == [("Bea", "Begins with the mask.")]
