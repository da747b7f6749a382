"""Tests a team's own challenges. They are written, checked by the gate, and published to the team only. Answers are judged on
the version that the assessment pinned.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.hiring.authoring import service
from api.judging.dispatch.long_running_work import ATTEMPTS
from grader.contract import transport
from tests.api.hiring.authoring.authoring_rig import RECORD, Author, files_in, good
from tests.api.hiring.taking_rig import Rig, code_of, plan_of, rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team, on a service whose catalogue also has a challenge named add-one."""
    async with rig_in(home, monkeypatch) as rig:
        yield rig


def own_plan(name: str = "own/add-one") -> dict[str, Any]:
    """Return a plan with one item, which is one of the team's own challenges."""
    item = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": name}]}
    return plan_of(sections=[{"key": "code", "title": "Code", "items": [item]}])


async def test_from_the_scaffold_to_an_assessment(rig: Rig, home: Path) -> None:
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await node.ready()
    made = await author.make()
    assert (made["state"], made["gate"], made["name"]) == ("draft", "unchecked", "own/add-one")
    assert any("to write" in finding["text"] for finding in made["findings"])
    assert code_of(await rig.owner.http.post(f"{author.one}/gate")) == (409, "not_ready")
    assert code_of(await rig.owner.http.post(f"{author.one}/publish")) == (409, "not_proven")
    files = files_in(home)
    saved = await author.save(files)
    assert (saved["title"], saved["files"]) == ("Add one, ours", files)
    # Missing parts are reported at once, but the gate can still run.
    assert [each["text"] for each in saved["findings"] if each["blocks"]] == []
    assert "has 2 wrong answers, at least 6 are needed" in [each["text"] for each in saved["findings"]]
    asked = await author.prove(node)
    assert asked.files == files
    proven = await author.until("passed")
    assert (proven["report"]["kill_rate"], proven["report"]["answers"][0]["caught_by"]) == (0.75, "test_zero")
    assert set(proven["files"]) == set(files)
    refused = await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json={"name": "x", "plan": own_plan()})
    assert "no challenge" in refused.json()["problems"][0]["message"]
    shown = good(await rig.owner.http.post(f"{author.one}/publish"))
    assert (shown["published"]["number"], shown["published"]["points"]) == (1, 4)
    listed = good(await rig.owner.http.get(f"{author.path}?state=published"))["items"]
    assert [item["published"]["title"] for item in listed] == ["Add one, ours"]
    await rig.assess(sections=own_plan()["sections"])
    preview = good(await rig.owner.http.get(f"{rig.path}/preview"))
    assert preview["sections"][0]["items"][0]["title"] == "Add one, ours"


async def test_a_syntax_error_is_told_at_the_save_and_first(rig: Rig, home: Path) -> None:
    author = Author(rig.owner, rig.team)
    await author.make()
    saved = await author.save({**files_in(home), "tests.py": "import torch\n\ndef test_a(:\n"})
    assert saved["findings"][0] == {
        "where": "tests.py, line 3", "text": "is not valid Python: invalid syntax", "blocks": True,
    }  # fmt: skip
    refused = await rig.owner.http.post(f"{author.one}/gate")
    assert code_of(refused) == (409, "not_ready")
    assert "tests.py, line 3: is not valid Python: invalid syntax" in refused.json()["message"]


async def test_an_unproven_version_is_used_only_if_the_author_says_so(rig: Rig, home: Path) -> None:
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await author.make()
    files = files_in(home)
    await author.save(files)
    assert code_of(await author.http.post(f"{author.one}/publish?unproven=true")) == (409, "not_proven"), (
        "never checked"
    )
    finding = {"where": "ours", "text": "has 2 tests, at least 12 are needed"}
    await author.prove(node, passed=False, written={}, report={**RECORD, "findings": [finding]})
    await author.until("failed")
    assert code_of(await author.http.post(f"{author.one}/publish?unproven=true")) == (409, "not_proven"), (
        "no tests.lock"
    )
    await author.save({**files, "editorial.md": "Add one.\n"})
    await author.prove(node, passed=False, report={**RECORD, "findings": [finding]})
    await author.until("failed")
    assert code_of(await author.http.post(f"{author.one}/publish")) == (409, "not_proven")
    told = good(await author.http.post(f"{author.one}/publish?unproven=true"))
    assert (told["state"], told["gate"], told["published"]["proven"]) == ("published", "failed", False)

    plan = plan_of()
    plan["sections"][0]["items"][0]["choices"][0]["name"] = "own/add-one"
    made = good(await author.http.post(f"/api/teams/{rig.team}/assessments", json={"name": "A", "plan": plan}), 201)
    assert made["problems"] == []
    assert [(each["field"], "is unproven" in each["message"]) for each in made["warnings"]] == [
        ("sections.0.items.0", True)
    ]
    # The version is in use, so other files make a new one.
    assert (await author.save(files))["number"] == 2
    rig.assessment = made["id"]
    good(await author.http.post(f"{rig.path}/open"))
    assert await marks(rig) == ([True, False], [("own/add-one", True), ("adding", False)])


async def marks(rig: Rig) -> tuple[list[bool], list[tuple[str, bool]]]:
    """Let a candidate take the assessment, who reads nothing about it. Return which items are marked as unproven in the
    candidate's report and in the results.
    """
    taker = await rig.start((await rig.invite())["token"])
    assert "proven" not in str(await taker.open()) + str(await taker.state())
    ended = good(await taker.http.post("/api/participation/finish"))
    assert "proven" not in str(ended)
    report = f"{rig.path}/participations/{ended['id']}"
    link = good(await rig.owner.http.post(f"{report}/report-links", json={}), 201)["link"].rpartition("/")[2]
    assert "proven" not in str(good(await rig.service.client().get(f"/api/shared-reports/{link}")))
    found = good(await rig.owner.http.get(report))["items"]
    told = good(await rig.owner.http.get(f"{rig.path}/results"))["items"]
    return [each["unproven"] for each in found], [(each["name"], each["unproven"]) for each in told]


async def test_who_takes_it_is_judged_by_what_was_pinned(rig: Rig, home: Path) -> None:
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await node.ready()
    await author.make()
    first = (await author.publish(node, files_in(home)))["published"]["digest"]
    await rig.assess(sections=own_plan()["sections"])
    taker = await rig.start((await rig.invite())["token"])
    again = await author.publish(node, files_in(home, "Add one, anew"))
    assert (again["number"], again["published"]["number"]) == (2, 2)
    assert again["published"]["digest"] != first
    assert (await taker.open())["challenge"]["title"] == "Add one, ours"
    good(await rig.owner.http.post(f"{author.one}/archive?anyway=true"))
    sent = good(await taker.send("def add_one(x):\n    return x + 1\n"), 201)
    job = await node.take()
    assert (job.slug, job.digest, job.team) == ("own/add-one", first, rig.team)
    await node.judge(job)
    assert sent["digest"] == first
    good(await rig.owner.http.post(f"{author.one}/restore"))
    assert (await rig.owner.http.delete(f"{author.one}?anyway=true")).status_code == 204
    assert (await taker.open())["challenge"]["title"] == "Add one, ours"


async def test_nobody_else_sees_or_uses_it(rig: Rig, home: Path) -> None:
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await node.ready()
    await author.make()
    await author.publish(node, files_in(home))
    bea = await rig.service.person("bea")
    other = good(await bea.http.post("/api/teams", json={"name": "Others"}), 201)["id"]
    there = Author(bea, other)
    assert good(await bea.http.get(there.path))["items"] == []
    stolen = f"{there.path}/{author.one.rpartition('/')[2]}"
    assert code_of(await bea.http.get(stolen)) == (404, "own_challenge_not_found")
    made = await bea.http.post(f"/api/teams/{other}/assessments", json={"name": "x", "plan": own_plan()})
    assert "no challenge" in made.json()["problems"][0]["message"]
    for person in (bea, rig.owner):
        body = {"slug": "own/add-one", "kind": "submit", "source": "x = 1"}
        # Only assessments can use a team's own challenge (`own/…`). A submission outside of an assessment cannot.
        assert (await person.http.post("/api/submissions", json=body)).status_code == 422
    listed = good(await bea.http.get("/api/challenges"))["items"]
    assert [item["slug"] for item in listed] == ["add-one"]


async def test_files_are_bounded_and_locks_cannot_be_sent(rig: Rig, home: Path) -> None:
    author = Author(rig.owner, rig.team)
    made = await author.make()
    files = files_in(home)
    for strange in ("tests.lock", "../up.py", "submissions/ac/x.py", "a/b.py", ".hidden", "quiz.toml"):
        body = {"version": made["version"], "files": {**files, strange: "x"}}
        answer = await rig.owner.http.put(f"{author.one}/files", json=body)
        assert code_of(answer) == (422, "bad_files"), strange
        assert answer.json()["fields"][0]["field"] == strange
    large = {**files, "statement.md": "x" * (257 * 1024)}
    answer = await rig.owner.http.put(f"{author.one}/files", json={"version": made["version"], "files": large})
    assert code_of(answer) == (422, "bad_files")
    greedy = files["challenge.toml"].replace("cpu_s = 2.0", "cpu_s = 9000.0\nmemory_mb = 100000")
    told = (await author.save({**files, "challenge.toml": greedy}))["findings"]
    assert [finding["text"] for finding in told if finding["blocks"]] == [
        "limits.cpu_s is more than 0 and at most 60", "limits.memory_mb is more than 0 and at most 2048",
    ]  # fmt: skip
    for broken in (
        "a = " + "[" * 50_000,
        "title = ",
        files["challenge.toml"].replace('"add_one(x)"', '"' + "(" * 9000 + '"'),
    ):
        told = await author.save({**files, "challenge.toml": broken})
        assert told["findings"], broken[:30]


async def test_who_saves_has_seen_the_last_version(rig: Rig, home: Path) -> None:
    author = Author(rig.owner, rig.team)
    made, files = await author.make(), files_in(home)
    body = {"version": made["version"], "files": files}
    first = good(await rig.owner.http.put(f"{author.one}/files", json=body))
    assert good(await rig.owner.http.put(f"{author.one}/files", json=body))["version"] == first["version"]
    late = await rig.owner.http.put(f"{author.one}/files", json={**body, "files": {"starter.py": "x"}})
    assert code_of(late) == (409, "own_challenge_conflict")
    assert late.json()["challenge"]["files"] == files


async def test_one_run_a_team_and_saving_ends_it(rig: Rig, home: Path) -> None:
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await node.ready()
    await author.make()
    await author.save(files_in(home))
    good(await rig.owner.http.post(f"{author.one}/gate"), 202)
    asked = await node.hear()
    assert isinstance(asked, transport.Prove)
    other = Author(rig.owner, rig.team)
    await other.make("second")
    await other.save(files_in(home, "Second"))
    assert code_of(await rig.owner.http.post(f"{other.one}/gate")) == (409, "gate_busy")
    await node.say(transport.Proving(asked.id, asked.token, 7))
    await author.save(files_in(home, "Third"))
    cancelled = await node.hear()
    assert isinstance(cancelled, transport.Cancel)
    await node.say(transport.Proved(asked.id, asked.token, passed=True))
    assert (await author.look())["gate"] == "unchecked"
    await other.prove(node, passed=False, report={"findings": [{"where": "tests.py", "text": "is dull"}]})
    failed = await other.until("failed")
    assert failed["report"]["findings"] == [{"where": "tests.py", "text": "is dull"}]


async def test_a_lost_run_waits_again_and_ends_at_last(rig: Rig, home: Path) -> None:
    author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
    await node.ready()
    await author.make()
    await author.save(files_in(home))
    good(await rig.owner.http.post(f"{author.one}/gate"), 202)
    assert isinstance(await node.hear(), transport.Prove)
    node.kill()
    node = await rig.service.node("node-2", proves=True)
    await node.ready()
    for _ in range(ATTEMPTS - 1):
        asked = await node.hear()
        while not isinstance(asked, transport.Prove):
            asked = await node.hear()
        await node.say(transport.Proved(asked.id, asked.token, passed=False, fault="no memory"))
    told = await author.until("failed")
    assert "no memory" in told["report"]["fault"]


async def test_names_are_the_team_s_own_and_bounded(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    author = Author(rig.owner, rig.team)
    await author.make()
    assert code_of(await rig.owner.http.post(author.path, json={"slug": "add-one"})) == (409, "slug_taken")
    monkeypatch.setattr(service, "CHALLENGES", 1)
    assert code_of(await rig.owner.http.post(author.path, json={"slug": "more"})) == (409, "too_many_challenges")
    assert (await rig.owner.http.post(author.path, json={"slug": "Own/../x"})).status_code == 422
