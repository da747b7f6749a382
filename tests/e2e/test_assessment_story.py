"""A whole assessment: two interviewers, three candidates at once, each in a browser profile of his own. One loses the connection
and goes on elsewhere, one gets more time while he works, one pastes the editorial. Letters go through a real mail server.
"""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIRequestContext, APIResponse, Browser, BrowserContext

from tests.e2e.pages import SLUG
from tests.live import JUDGE_S, Live, service
from tests.mailbox import Mailbox, link_in, mailbox, text_of

pytestmark = pytest.mark.docker
PASSWORD = "a good long one"
WRONG = "def scaled_dot_product_attention(*tensors, **more):\n    return tensors[0]\n"


@dataclass
class Stage:
    """A service whose letters arrive, and browsers."""

    live: Live
    box: Mailbox
    browser: Browser
    opened: list[BrowserContext] = field(default_factory=list)

    def profile(self) -> BrowserContext:
        """Somebody's browser, in which nothing is known yet."""
        self.opened.append(self.browser.new_context(base_url=self.live.url))
        return self.opened[-1]

    def interviewer(self, name: str) -> APIRequestContext:
        """Somebody with a confirmed account, signed in."""
        http, email = self.profile().request, address(name)
        told(http.post("/api/accounts", data={"email": email, "name": name, "password": PASSWORD}), 202)
        _, token = link_in(self.box.wait_for(email))
        told(http.post("/api/accounts/confirm", data={"token": token, "password": PASSWORD}), 201)
        return http


@pytest.fixture
def stage(grader_image: str, tmp_path: Path, browser: Browser) -> Iterator[Stage]:
    """A service of its own: it needs a mail server."""
    with mailbox() as box:
        settings = {"node_slots": "1", "node_image": grader_image, "smtp_url": box.url, "poll_s": "0.3", "sweep_s": "1"}
        with service(tmp_path / "data", **settings) as live:
            stage = Stage(live, box, browser)
            yield stage
            for context in stage.opened:
                context.close()


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


def told(answer: APIResponse, status: int = 200) -> Any:
    """What was answered, if it was this."""
    assert answer.status == status, f"{answer.url}: {answer.status} {answer.text()[:400]}"
    return answer.json() if answer.body() else None


def link_of(letter: EmailMessage) -> str:
    """The link to the assessment in a letter."""
    found = re.search(r"/take/\S+", text_of(letter))
    assert found is not None, text_of(letter)
    return found[0]


def until(what: Callable[[], Any], seconds: float = JUDGE_S) -> Any:
    """What is waited for, once it is there."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.2)
    return found


@dataclass
class Candidate:
    """Somebody who takes it, in a profile of his own."""

    http: APIRequestContext
    name: str

    def start(self, link: str) -> dict[str, Any]:
        """Read what is to be known, then begin, or go on here."""
        shown = told(self.http.get(f"/api{link}"))
        assert "items" not in shown
        body = {"name": self.name, "honour": True}
        answer = self.http.post(f"/api{link}/start", data=body)
        assert answer.status in (200, 201), answer.text()
        run: dict[str, Any] = answer.json()
        return run

    def open(self) -> dict[str, Any]:
        """The challenge."""
        item: dict[str, Any] = told(self.http.post("/api/participation/items/1/open"))
        return item

    def save(self, source: str, sequence: int, *signals: dict[str, Any]) -> None:
        """What the editor sends every few seconds."""
        edits = [{"t_ms": 1000 * sequence, "from": 0, "to": 0, "text": source}]
        body = {"source": source, "sequence": sequence, "edits": edits, "signals": list(signals)}
        told(self.http.put("/api/participation/items/1/draft", data=body))

    def submit(self, source: str) -> None:
        """Send an answer."""
        body = {"source": source, "kind": "submit"}
        told(self.http.post("/api/participation/items/1/submissions", data=body), 201)

    def finish(self) -> None:
        """End it."""
        told(self.http.post("/api/participation/finish"))


def build(ada: APIRequestContext, team: str) -> str:
    """An open assessment; returns its path."""
    code = {"key": "attention", "points": 60, "choices": [{"kind": "challenge", "name": SLUG}]}
    plan = {
        "minutes": 45,
        "instructions": "Explain your steps in comments.",
        "honour": "This is my own work.",
        "recorded": ["edits", "pastes", "focus", "devices"],
        "sections": [{"key": "code", "title": "Code", "items": [code]}],
    }
    path = f"/api/teams/{team}/assessments"
    made = told(ada.post(path, data={"name": "First round", "plan": plan}), 201)
    told(ada.post(f"{path}/{made['id']}/open"))
    return f"{path}/{made['id']}"


def test_an_assessment_from_its_plan_to_its_erasure(stage: Stage, answers: Path) -> None:
    right, pasted = [path.read_text() for path in sorted((answers / "accepted").glob("*.py"))[:2]]
    ada, bob = stage.interviewer("Ada"), stage.interviewer("Bob")
    team = told(ada.post("/api/teams", data={"name": "Training infrastructure"}), 201)["id"]
    told(ada.post(f"/api/teams/{team}/invitations", data={"email": address("Bob"), "role": "reviewer"}), 201)
    _, token = link_in(stage.box.wait_for(address("Bob"), 2))
    told(bob.post("/api/team-invitations/accept", data={"token": token}))
    path = build(ada, team)

    names = ("Cleo", "Dan", "Eve")
    people = [{"email": address(name), "name": name} for name in names]
    told(ada.post(f"{path}/invitations", data={"people": people}), 201)
    assert bob.post(f"{path}/invitations", data={"people": people}).status == 403, "reviewers only look"
    links = [link_of(stage.box.wait_for(address(name))) for name in names]
    cleo, dan, eve = [Candidate(stage.profile().request, name) for name in names]
    begun = [one.start(link) for one, link in zip((cleo, dan, eve), links, strict=True)]
    assert len({run["id"] for run in begun}) == 3
    for one in (cleo, dan, eve):
        one.open()

    _loses_the_connection(stage, cleo, links[0], right)
    _gets_more_time(ada, bob, dan, path)
    eve.save(pasted, 1, {"kind": "paste", "size": len(pasted)}, {"kind": "blur"})
    eve.finish()
    rows = _everything_is_judged(bob, path)
    assert {name: row["score"] for name, row in rows.items()} == {"Cleo": 60, "Dan": 0, "Eve": 60}
    assert rows["Eve"]["finished_by"] == "candidate"
    assert (
        cleo.http.post("/api/participation/items/1/submissions", data={"source": right, "kind": "submit"}).status == 409
    )

    hers = f"{path}/participations/{rows['Eve']['id']}"
    signals = told(bob.get(f"{hers}/signals"))["items"]
    assert [(each["kind"], each["size"]) for each in signals] == [("paste", len(pasted)), ("blur", 0)]
    signals = told(bob.get(f"{path}/participations/{rows['Cleo']['id']}/signals"))["items"]
    assert [each["kind"] for each in signals] == ["device"]

    assert bob.delete(hers).status == 403
    told(ada.delete(hers), 204)
    assert eve.http.get("/api/participation").status == 401
    assert ada.get(hers).status == 404
    assert [row["name"] for row in told(bob.get(f"{path}/participations"))["items"]] == ["Dan", "Cleo"]
    assert stage.profile().request.get(f"/api{links[2]}").status == 404


def _loses_the_connection(stage: Stage, cleo: Candidate, link: str, right: str) -> None:
    """What was kept before is there on another device, which goes on; the older one is told."""
    cleo.save("# half of it\n", 1)
    elsewhere = Candidate(stage.profile().request, "Cleo")
    elsewhere.start(link)
    kept = elsewhere.open()["draft"]
    assert (kept["source"], kept["revision"]) == ("# half of it\n", 1)
    late = cleo.http.put("/api/participation/items/1/draft", data={"source": "# too late\n", "sequence": 2})
    assert (late.status, late.json()["code"]) == (409, "taken_over")
    cleo.http = elsewhere.http
    cleo.save(right, 2)
    cleo.submit(right)
    cleo.finish()


def _gets_more_time(ada: APIRequestContext, bob: APIRequestContext, dan: Candidate, path: str) -> None:
    """While he works; nobody but authors gives it."""
    before = told(dan.http.get("/api/participation"))
    row = next(row for row in told(bob.get(f"{path}/participations"))["items"] if row["name"] == "Dan")
    one = f"{path}/participations/{row['id']}/extra-time"
    assert bob.put(one, data={"minutes": 15}).status == 403
    told(ada.put(one, data={"minutes": 15}))
    after = told(dan.http.get("/api/participation"))
    assert after["extra_s"] == 900
    assert after["left_s"] - before["left_s"] > 800
    dan.submit(WRONG)
    dan.finish()


def _everything_is_judged(bob: APIRequestContext, path: str) -> dict[str, dict[str, Any]]:
    """The live table once nothing in it is under way, by name."""

    def rows() -> dict[str, dict[str, Any]] | None:
        found = told(bob.get(f"{path}/participations"))["items"]
        ready = len(found) == 3 and all(row["finished_at"] and row["sent"] and not row["unfinished"] for row in found)
        return {row["name"]: row for row in found} if ready else None

    shown: dict[str, dict[str, Any]] = until(rows)
    return shown
