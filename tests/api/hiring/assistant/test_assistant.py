"""Tests the AI assistant of an assessment: what is sent to the model and what is not, the budget, what the team reads, and what
candidates say about an assistant of their own.
"""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from api.hiring.assistant.models import AssistantDeclaration, AssistantMessage
from api.hiring.assistant.schemas import Transcript
from api.hiring.results.pdf import assistant_blocks
from api.judging.submissions.models import Judging
from tests.api.hiring.assistant.assistant_rig import CODE, ITEM, ask, plan_with, talk
from tests.api.hiring.taking_rig import Rig, Taker, code_of, plan_of, rig_in
from tests.model_server import MODEL, ModelServer, Reply

pytestmark = pytest.mark.anyio
DECLARATION = "/api/participation/assistant-declaration"


async def transcript(rig: Rig) -> dict[str, Any]:
    """Return what the team reads."""
    one = (await rig.watched())[0]["id"]
    told: dict[str, Any] = (await rig.owner.http.get(f"{rig.path}/participations/{one}/assistant")).json()
    return told


async def test_a_reply_is_streamed_stored_and_counted(rig: Rig, taker: Taker, model: ModelServer) -> None:
    events = await ask(taker)
    assert "".join(data["text"] for name, data in events if name == "text") == "Use `x.sum(-1)`."
    name, end = events[-1]
    assert (name, end["message"]["state"], end["used"]) == ("end", "answered", 300)
    told = await talk(taker)
    assert told["messages"] == [end["message"]]
    assert told["budget"] == {"used": 300, "tokens": 20_000}
    assert (end["message"]["reply"], end["message"]["tokens"], end["message"]["model"]) == (
        "Use `x.sum(-1)`.",
        300,
        MODEL,
    )
    assert model.keys == ["Bearer sk-test"]
    assert (model.requests[0]["model"], model.requests[0]["stream"]) == (MODEL, True)


async def test_the_model_sees_what_the_candidate_sees_and_no_more(rig: Rig, taker: Taker, model: ModelServer) -> None:
    assert (await taker.send(CODE)).status_code == 201
    values = {"status": "judged", "verdict": "WA", "score": 1, "max_score": 4, "ended_at": rig.clock.moment}
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).values(**values))
    await ask(taker)
    for part in ("Beware of the zebra", "not yet", "Which axis?", "solution.add_one(0) == 1"):
        assert part in model.sent, part
    for part in ("987654321", "SECRET-REFERENCE", "SECRET-EDITORIAL", "Verdict on all tests", "off-by-two"):
        assert part not in model.sent, part
    # The verdict is shown after the end, so the model does not get it before.
    await rig.assess(**plan_with("provided", verdicts="at_once"))
    other = await rig.start((await rig.invite(name="Ben"))["token"])
    await other.open()
    assert (await other.send(CODE)).status_code == 201
    async with rig.service.state.db.write() as session:
        await session.execute(update(Judging).values(**values))
    await ask(other)
    assert "Verdict on all tests: WA." in model.sent


async def test_the_conversation_is_sent_along(taker: Taker, model: ModelServer) -> None:
    await ask(taker, "First?")
    model.replies = [Reply(status=500)]
    await ask(taker, "Failed?")
    await ask(taker, "Second?")
    roles = [(each["role"], each["content"]) for each in model.requests[-1]["messages"][1:]]
    assert roles == [("user", "First?"), ("assistant", "Use `x.sum(-1)`."), ("user", "Second?")]


async def test_the_budget_ends(rig: Rig, taker: Taker, model: ModelServer) -> None:
    model.replies = [Reply(tokens=19_500)]
    await ask(taker)
    assert 0 < model.requests[-1]["max_tokens"] <= 2000
    await ask(taker)
    assert model.requests[-1]["max_tokens"] < 500, "the reply must fit in what is left"
    refused = await taker.http.post(ITEM, json={"question": "x" * 4000, "source": CODE})
    assert code_of(refused) == (409, "assistant_budget_spent")
    assert "200 left" in refused.json()["message"]


async def test_it_is_there_only_where_the_plan_says_and_only_in_time(
    rig: Rig, taker: Taker, model: ModelServer
) -> None:
    body = {"question": "Why?", "source": CODE}
    assert code_of(await taker.http.post(ITEM, json={**body, "source": "x" * 300_000})) == (413, "source_too_large")
    assert (await taker.http.post(ITEM, json={**body, "question": "  "})).status_code == 422
    await taker.open(2)
    quiz = await taker.http.post("/api/participation/items/2/assistant", json=body)
    assert code_of(quiz) == (409, "other_kind")
    await ask(taker)
    await taker.http.post("/api/participation/finish")
    assert code_of(await taker.http.post(ITEM, json=body)) == (409, "time_is_over")
    assert len((await talk(taker))["messages"]) == 1, "it can still be read"
    await rig.assess()
    other = await rig.start((await rig.invite(name="Ben"))["token"])
    await other.open()
    assert code_of(await other.http.post(ITEM, json=body)) == (409, "assistant_not_allowed")
    assert len(model.requests) == 1


async def test_candidates_read_the_policy_before_and_while_they_work(rig: Rig) -> None:
    token = (await rig.invite(name="Eve"))["token"]
    told = (await rig.service.client().get(f"/api/take/{token}")).json()
    assert [section["assistant"] for section in told["sections"]] == ["provided", "none"]
    taker = await rig.start(token)
    assert [section["assistant"] for section in (await taker.state())["sections"]] == ["provided", "none"]


async def test_the_team_reads_everything(rig: Rig, taker: Taker) -> None:
    await ask(taker, "Which axis?")
    await ask(taker, "And why?")
    told = await transcript(rig)
    assert [(each["position"], each["question"]) for each in told["messages"]] == [(1, "Which axis?"), (1, "And why?")]
    assert (told["tokens"], told["declaration"]) == (600, None)
    one = (await rig.watched())[0]["id"]
    paper = await rig.owner.http.get(f"{rig.path}/participations/{one}/report.pdf")
    assert paper.content.startswith(b"%PDF")
    blocks = list(assistant_blocks.talk(Transcript.model_validate(told), {1: "Add one"}))
    assert [each["text"] for each in blocks if each["kind"] == "note"] == [
        "Which axis?", "Use `x.sum(-1)`.", "And why?", "Use `x.sum(-1)`.",
    ]  # fmt: skip
    assert "2 messages, 600 tokens" in blocks[1]["text"]
    offered = (await rig.owner.http.get(f"/api/teams/{rig.team}/assistant")).json()
    assert offered == {"assistant": {"model": MODEL, "tokens": 20_000}}
    assert (await rig.owner.http.delete(f"{rig.path}/participations/{one}")).status_code == 204
    assert await rig.count(AssistantMessage) == 0


async def test_candidates_say_how_they_used_their_own(rig: Rig) -> None:
    await rig.assess(**plan_with("own"))
    taker = await rig.start((await rig.invite(name="Eve"))["token"])
    await taker.open()
    assert code_of(await taker.http.post(ITEM, json={"question": "Why?", "source": ""})) == (
        409,
        "assistant_not_allowed",
    )
    assert (await taker.http.get(DECLARATION)).json() == {"text": "", "written_at": None}
    await taker.http.post("/api/participation/finish")
    said = await taker.http.put(DECLARATION, json={"text": "  It named the axis. "})
    assert said.json()["text"] == "It named the axis."
    assert (await transcript(rig))["declaration"] == said.json()
    assert (await taker.http.put(DECLARATION, json={"text": ""})).json() == {"text": "", "written_at": None}
    assert await rig.count(AssistantDeclaration) == 0


async def test_nobody_is_asked_who_had_none(rig: Rig, taker: Taker) -> None:
    assert (await taker.http.get(DECLARATION)).json() is None
    assert code_of(await taker.http.put(DECLARATION, json={"text": "x"})) == (409, "assistant_not_allowed")


async def test_a_site_without_an_assistant(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig_in(home, monkeypatch) as rig:
        plan = plan_of(**plan_with("provided"))
        body = {"name": "First round", "plan": plan}
        made = (await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json=body)).json()["id"]
        path = f"/api/teams/{rig.team}/assessments/{made}"
        refused = await rig.owner.http.post(f"{path}/open")
        assert code_of(refused) == (422, "plan_unusable")
        assert refused.json()["fields"][0]["field"] == "sections.0.assistant"
        assert (await rig.owner.http.get(f"/api/teams/{rig.team}/assistant")).json() == {"assistant": None}
        # An assessment can outlive the setting.
        drive = (await rig.owner.http.post(f"{path}/test-drives")).json()["link"].rpartition("/")[2]
        taker = await rig.start(drive)
        await taker.open()
        assert code_of(await taker.http.post(ITEM, json={"question": "Why?", "source": ""})) == (
            409,
            "assistant_missing",
        )
        assert (await talk(taker))["budget"] is None
