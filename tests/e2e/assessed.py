"""Creates a team, its assessment and a candidate who writes an answer, through the API."""

import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.e2e.pages import SLUG, TOPIC

JUDGE_S = 120
PLAN = {
    "minutes": 60,
    "instructions": "Take your time.",
    "recorded": ["edits", "pastes", "focus", "devices"],
    "sections": [
        {
            "key": "code",
            "title": "Attention",
            "items": [{"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": SLUG}]}],
        },
        {
            "key": "questions",
            "title": "Questions",
            "items": [{"key": "two", "points": 5, "choices": [{"kind": "quiz", "name": TOPIC}]}],
        },
    ],
}


def told(answer: httpx.Response) -> Any:
    """Return the body of a response. Fail if the response is an error."""
    assert answer.status_code < 300, answer.text
    return answer.json()


@dataclass
class Interviewer:
    """A user who is signed in to an account."""

    http: httpx.Client
    email: str

    @classmethod
    def made(cls, url: str, name: str) -> "Interviewer":
        """Create a new account with this name, and sign in to it."""
        email = f"{uuid.uuid4().hex[:12]}@example.org"
        http = httpx.Client(base_url=url, timeout=30)
        told(http.post("/api/accounts", json={"email": email, "name": name, "password": uuid.uuid4().hex}))
        return cls(http, email)


@dataclass
class Assessed:
    """An open assessment. `owner` is the client of the team's owner. `path` is the address of the assessment's page; with
    `/api` in front, it is the assessment's address in the API.
    """

    owner: httpx.Client
    team: str
    path: str

    @classmethod
    def made(cls, owner: httpx.Client, team: str = "Kernel people", plan: dict[str, Any] | None = None) -> "Assessed":
        """Create a team, and open one assessment in it."""
        team_id = told(owner.post("/api/teams", json={"name": team}))["id"]
        body = {"name": "Research engineer, first round", "plan": plan or PLAN}
        assessment = told(owner.post(f"/api/teams/{team_id}/assessments", json=body))["id"]
        path = f"/teams/{team_id}/assessments/{assessment}"
        told(owner.post(f"/api{path}/open"))
        return cls(owner, team_id, path)

    def add_member(self, member: httpx.Client, address: str, role: str = "reviewer") -> None:
        """Invite `member` to the team and accept the invitation."""
        invited = self.owner.post(f"/api/teams/{self.team}/invitations", json={"email": address, "role": role})
        token = told(invited)["link"].partition("#")[2]
        assert member.post("/api/team-invitations/accept", json={"token": token}).status_code < 300

    def start(self, url: str, name: str, email: str = "") -> "Writer":
        """Invite a candidate, and start the assessment as this candidate."""
        person = {"name": name, "email": email}
        made = told(self.owner.post(f"/api{self.path}/invitations", json={"people": [person]}))["items"][0]
        http = httpx.Client(base_url=url, timeout=30)
        token = made["link"].rpartition("/")[2]
        started = told(http.post(f"/api/take/{token}/start", json={"name": name, "honour": True}))
        return Writer(http, started["id"])


@dataclass
class Writer:
    """A candidate who has started the assessment and writes an answer to its first item."""

    http: httpx.Client
    id: str
    text: str = ""
    sequence: int = 0
    t_ms: int = 0
    edits: list[dict[str, Any]] = field(default_factory=list)

    def open(self, position: int = 1) -> dict[str, Any]:
        """Open an item. If it is a challenge, the editor then contains its starter code."""
        opened: dict[str, Any] = told(self.http.post(f"/api/participation/items/{position}/open"))
        if opened["challenge"]:
            starter = opened["challenge"]["starter"]
            self.edits.append({"t_ms": 0, "from": 0, "to": len(starter), "text": starter})
            self.text = starter
        return opened

    def put(self, old: str, new: str, *, pause_ms: int = 0, at_once: bool = False) -> None:
        """Replace a part of the text. With `at_once`, record this as one paste, otherwise letter by letter."""
        at = self.text.index(old)
        self.t_ms += pause_ms
        self._edit(at, at + len(old), "" if not at_once else new)
        for place, letter in enumerate("" if at_once else new):
            self._edit(at + place, at + place, letter)

    def _edit(self, begin: int, end: int, text: str) -> None:
        self.t_ms += 90
        self.edits.append({"t_ms": self.t_ms, "from": begin, "to": end, "text": text})
        self.text = self.text[:begin] + text + self.text[end:]

    def save(self, *signals: dict[str, Any]) -> None:
        """Save what was written since the last save, together with these signals."""
        self.sequence += 1
        body = {"source": self.text, "sequence": self.sequence, "edits": self.edits, "signals": list(signals)}
        told(self.http.put("/api/participation/items/1/draft", json=body))
        self.edits = []

    def submit(self) -> str:
        """Submit the text. Return the id of the submission."""
        body = {"source": self.text, "kind": "submit"}
        sent: str = told(self.http.post("/api/participation/items/1/submissions", json=body))["id"]
        return sent

    def until_judged(self, submission: str) -> None:
        """Wait until a submission is judged. Raise TimeoutError after JUDGE_S seconds."""
        end = time.monotonic() + JUDGE_S
        while told(self.http.get(f"/api/participation/submissions/{submission}"))["status"] != "judged":
            if time.monotonic() > end:
                raise TimeoutError(f"{submission} was not judged within {JUDGE_S} s")
            time.sleep(0.3)

    def finish(self) -> None:
        """Finish the assessment."""
        told(self.http.post("/api/participation/finish"))
