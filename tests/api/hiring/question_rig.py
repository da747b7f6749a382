"""Provides plans with questions of the team, and the requests with which candidates answer them and reviewers grade them."""

from typing import Any

import httpx

from api.hiring.participations.deadline_sweeper import record_judged
from grader.content.quizzes.marking import part_id
from tests.api.hiring.taking_rig import Rig, Taker

CODE, CHOICE, NUMBER, TEXT = 1, 2, 3, 4
RIGHT_OPTION, WRONG_OPTION = "It keeps the sum in float32", "It is faster"
# What no candidate may read before the results are shown, and what no candidate may ever read.
SECRETS, GUIDE = ("SECRET-REASON", "0.1234567"), "SECRET-GUIDE"
ABOUT_CODE: dict[str, Any] = {
    "title": "Your loop",
    "prompt": "Why is this right?",
    "answer": {"type": "text", "max_length": 300, "guide": GUIDE},
    "about": "one",
}
ONE_OF_TWO: dict[str, Any] = {
    "title": "Precision",
    "prompt": "Why *upcast*?",
    "answer": {
        "type": "choice",
        "options": [
            {"text": RIGHT_OPTION, "right": True},
            {"text": WRONG_OPTION, "reason": "SECRET-REASON"},
        ],
    },
}
A_NUMBER: dict[str, Any] = {
    "title": "Learning rate",
    "prompt": "Which rate?",
    "answer": {"type": "number", "value": 0.1234567, "tolerance": 0.01},
}


def item_of(name: str, points: int, question: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return an item that consists of one question."""
    return {
        "key": name,
        "points": points,
        "choices": [{"kind": "question", "name": name, "question": question}],
        **more,
    }


def sections_of(*items: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """Return a section with a challenge and a section with these items."""
    code = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "add-one"}]}
    return [
        {"key": "code", "title": "Code", "items": [code]},
        {"key": "questions", "title": "Questions", "items": list(items), **more},
    ]


def three_questions(**more: Any) -> list[dict[str, Any]]:
    """Return sections with a challenge, and with questions about a choice, a number and the candidate's own code."""
    return sections_of(
        item_of("precision", 4, ONE_OF_TWO, **more),
        item_of("rate", 6, A_NUMBER, **more),
        item_of("loop", 20, ABOUT_CODE, **more),
    )


async def begun(rig: Rig, **person: Any) -> Taker:
    """Start the assessment as a new candidate who opens all four items."""
    taker = await rig.start((await rig.invite(**person))["token"])
    for position in (CODE, CHOICE, NUMBER, TEXT):
        await taker.open(position)
    return taker


async def choose(taker: Taker, text: str) -> httpx.Response:
    """Answer the question with options."""
    body = {"question": "precision", "answer": [part_id(text)]}
    return await taker.http.post(f"/api/participation/items/{CHOICE}/answers", json=body)


async def enter(taker: Taker, value: Any) -> httpx.Response:
    """Answer the question about a number."""
    body = {"question": "rate", "answer": value}
    return await taker.http.post(f"/api/participation/items/{NUMBER}/answers", json=body)


async def write(taker: Taker, text: str, sequence: int = 1, **more: Any) -> httpx.Response:
    """Save the text about the candidate's own code."""
    body = {"source": text, "sequence": sequence, **more}
    return await taker.http.put(f"/api/participation/items/{TEXT}/draft", json=body)


async def mark(taker: Taker, *lines: tuple[int, int], digest: str = "") -> httpx.Response:
    """Mark lines of the code that is shown now, or of the code with this digest."""
    shown = digest or (await taker.open(TEXT))["question"]["about"]["digest"]
    body = {"digest": shown, "lines": lines}
    return await taker.http.put(f"/api/participation/items/{TEXT}/marked-lines", json=body)


async def finish(taker: Taker) -> str:
    """Finish the assessment. Return the participation's ID."""
    answer = await taker.http.post("/api/participation/finish")
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["id"]
    return found


async def grade(rig: Rig, participation: str, points: float, seen: str | None = None) -> httpx.Response:
    """Give points for the text, as the team's owner."""
    body = {"mode": "set", "points": points, "reason": "Names the mask.", "seen": seen}
    return await rig.owner.http.post(f"{rig.path}/participations/{participation}/items/{TEXT}/points", json=body)


async def row_of(rig: Rig, participation: str) -> dict[str, Any]:
    """Return the report about a participation."""
    answer = await rig.owner.http.get(f"{rig.path}/participations/{participation}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def settle(rig: Rig) -> None:
    """Let the service look for participations whose answers are all judged."""
    await record_judged(rig.service.state.db)
