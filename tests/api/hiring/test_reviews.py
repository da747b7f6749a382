"""Tests what a team records about a candidate: who may change an entry, that a member cannot replace an entry without having
seen it, and that no score is lost.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from api.hiring.review_records.models import Decision, ManualPoints, ReviewNote, RubricScore
from api.hiring.reviews import rubric, service
from api.hiring.teams.models import TeamMember
from api.judging.submissions.models import Judging
from tests.api.hiring.taking_rig import Rig, code_of, rig_in
from tests.api.running_service import Person

pytestmark = pytest.mark.anyio
CLARITY = {"title": "Clarity", "description": "Can it be read?", "levels": 4}
TESTING = {"title": "Testing", "description": "", "levels": 2}


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an assessment that a candidate has finished. The candidate has 7.5 of 10 points for one item and 0 of 5 for
    the other.
    """
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        taker = await rig.start((await rig.invite(email="eve@example.org"))["token"])
        await taker.open()
        sent = (await taker.send("x = 1")).json()["id"]
        async with rig.service.state.db.write() as session:
            values = {"status": "judged", "verdict": "WA", "score": 3, "max_score": 4}
            await session.execute(update(Judging).where(Judging.submission_id == sent).values(**values))
        await taker.http.post("/api/participation/finish")
        yield rig


async def one(rig: Rig) -> str:
    """Return the URL of the participation."""
    return f"{rig.path}/participations/{(await rig.watched())[0]['id']}"


async def colleague(rig: Rig, name: str = "bob", role: str = "reviewer") -> Person:
    """Add another member to the team."""
    person = await rig.service.person(name)
    account = (await person.http.get("/api/me")).json()["id"]
    async with rig.service.state.db.write() as session:
        session.add(TeamMember(team_id=rig.team, account_id=account, role=role, joined_at=rig.clock()))
    return person


async def save_rubric(rig: Rig, *criteria: dict[str, Any], version: str | None = None) -> dict[str, Any]:
    """Save a rubric with these criteria. Return the stored rubric."""
    path = f"{rig.path}/rubric"
    version = version or (await rig.owner.http.get(path)).json()["version"]
    saved = await rig.owner.http.put(path, json={"version": version, "criteria": list(criteria)})
    assert saved.status_code == 200, saved.text
    told: dict[str, Any] = saved.json()
    return told


async def test_notes_are_read_by_all_and_changed_by_their_authors(rig: Rig) -> None:
    bob, notes = await colleague(rig), f"{await one(rig)}/notes"
    first = (await rig.owner.http.post(notes, json={"text": "  Ask about masks.\n"})).json()
    assert (first["text"], first["yours"], first["author"]) == ("Ask about masks.", True, "ada")
    second = (await bob.http.post(notes, json={"text": "Quick."})).json()
    page = (await bob.http.get(notes, params={"limit": 1})).json()
    assert [(note["text"], note["yours"]) for note in page["items"]] == [("Ask about masks.", False)]
    rest = (await bob.http.get(notes, params={"cursor": page["next_cursor"]})).json()
    assert ([note["id"] for note in rest["items"]], rest["next_cursor"]) == ([second["id"]], None)
    for answer in (
        await bob.http.put(f"{notes}/{first['id']}", json={"text": "No."}),
        await bob.http.delete(f"{notes}/{first['id']}"),
    ):
        assert code_of(answer) == (403, "not_your_note")
    edited = (await bob.http.put(f"{notes}/{second['id']}", json={"text": "Slow."})).json()
    assert edited["text"] == "Slow."
    assert edited["edited_at"]
    assert (await bob.http.delete(f"{notes}/{second['id']}")).status_code == 204
    assert code_of(await bob.http.delete(f"{notes}/{second['id']}")) == (404, "note_not_found")
    assert (await rig.owner.http.post(notes, json={"text": " \n "})).status_code == 422
    assert (await rig.owner.http.post(notes, json={"text": "x" * 5001})).status_code == 422


async def test_notes_are_limited(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "NOTES", 1)
    notes = f"{await one(rig)}/notes"
    answers = [await rig.owner.http.post(notes, json={"text": "Quick."}) for _ in range(2)]
    assert code_of(answers[1]) == (409, "too_many_notes")


async def test_changing_the_rubric_keeps_the_scores_given(rig: Rig) -> None:
    made = (await save_rubric(rig, CLARITY, TESTING))["criteria"]
    person = await one(rig)
    clarity, testing = (f"{person}/scores/{criterion['id']}" for criterion in made)
    assert (await rig.owner.http.put(clarity, json={"level": 4})).status_code == 200
    assert code_of(await rig.owner.http.put(testing, json={"level": 3})) == (422, "level_too_high")
    shorter = await save_rubric(rig, {**made[0], "title": "Style", "levels": 3})
    assert [criterion["title"] for criterion in shorter["criteria"]] == ["Style"]
    told = (await rig.owner.http.get(f"{person}/review")).json()["criteria"]
    assert [(each["title"], each["levels"], each["retired"]) for each in told] == [("Style", 3, False)]
    assert [(score["level"], score["levels"]) for score in told[0]["scores"]] == [(4, 4)], "as it was given"
    await save_rubric(rig, TESTING)
    told = (await rig.owner.http.get(f"{person}/review")).json()["criteria"]
    assert [(each["title"], each["retired"], len(each["scores"])) for each in told] == [
        ("Testing", False, 0),
        ("Style", True, 1),
    ]
    assert code_of(await rig.owner.http.put(clarity, json={"level": 1})) == (404, "criterion_not_found")


async def test_rubric_is_not_saved_over_somebody_elses(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    first = await save_rubric(rig, CLARITY, version="0")
    path = f"{rig.path}/rubric"
    late = await rig.owner.http.put(path, json={"version": "0", "criteria": [TESTING]})
    assert code_of(late) == (409, "rubric_changed")
    known = first["criteria"][0]
    for criteria in ([known, known], [{**TESTING, "id": "0" * 32}]):
        strange = await rig.owner.http.put(path, json={"version": first["version"], "criteria": criteria})
        assert code_of(strange) == (404, "criterion_not_found")
    many = await rig.owner.http.put(path, json={"version": first["version"], "criteria": [TESTING] * 21})
    assert many.status_code == 422
    monkeypatch.setattr(rubric, "KEPT", 1)
    more = await rig.owner.http.put(path, json={"version": first["version"], "criteria": [known, TESTING]})
    assert code_of(more) == (409, "too_many_criteria")


async def test_every_reviewer_scores_for_himself(rig: Rig) -> None:
    bob, (criterion,) = await colleague(rig), (await save_rubric(rig, CLARITY))["criteria"]
    path = f"{await one(rig)}/scores/{criterion['id']}"
    await asyncio.gather(*[who.http.put(path, json={"level": 1}) for who in (bob, bob, rig.owner)])
    told = (await bob.http.put(path, json={"level": 3})).json()["criteria"][0]["scores"]
    assert sorted((score["reviewer"], score["yours"], score["level"]) for score in told) == [
        ("ada", False, 1),
        ("bob", True, 3),
    ]
    told = (await bob.http.put(path, json={"level": None})).json()["criteria"][0]["scores"]
    assert [score["reviewer"] for score in told] == ["ada"]
    assert (await bob.http.put(path, json={"level": 5})).status_code == 422
    assert await rig.count(RubricScore) == 1


async def test_points_by_hand_are_shown_beside_the_automatic_ones(rig: Rig) -> None:
    path = f"{await one(rig)}/items/1/points"
    added = {"mode": "add", "points": 1.5, "reason": "Only the dtype was off.", "seen": None}
    entry = (await rig.owner.http.post(path, json=added)).json()["points"][0]["entries"][0]
    (row,) = await rig.watched()
    assert (row["score"], row["adjusted"]) == (7.5, 9)
    item = (await rig.owner.http.get(await one(rig))).json()["items"][0]
    assert (item["score"], item["adjusted"], item["manual"]["reason"]) == (7.5, 9, "Only the dtype was off.")
    assert item["manual"]["by"] == "ada"
    more = {**added, "points": 10, "seen": entry["id"]}
    entry = (await rig.owner.http.post(path, json=more)).json()["points"][0]["entries"][0]
    assert (await rig.watched())[0]["adjusted"] == 10, "never more than the item has"
    instead = {"mode": "set", "points": 2, "reason": "Copied.", "seen": entry["id"]}
    entry = (await rig.owner.http.post(path, json=instead)).json()["points"][0]["entries"][0]
    assert (await rig.watched())[0]["adjusted"] == 2
    back = {"mode": "none", "seen": entry["id"]}
    entries = (await rig.owner.http.post(path, json=back)).json()["points"][0]["entries"]
    assert [each["mode"] for each in entries] == ["none", "set", "add", "add"]
    (row,) = await rig.watched()
    assert (row["score"], row["adjusted"]) == (7.5, 7.5)


@pytest.mark.parametrize(
    ("entry", "status"),
    [
        ({"mode": "set", "points": 10.25, "reason": "x"}, 422),
        ({"mode": "set", "points": -1, "reason": "x"}, 422),
        ({"mode": "add", "points": -10.25, "reason": "x"}, 422),
        ({"mode": "add", "points": 1, "reason": "  "}, 422),
        ({"mode": "add", "points": 0.1, "reason": "x"}, 422),
        ({"mode": "add", "points": 1, "reason": "x", "seen": "0" * 32}, 409),
        ({"mode": "add", "points": -10, "reason": "x"}, 201),
    ],
)
async def test_points_are_of_the_item_and_have_a_reason(rig: Rig, entry: dict[str, Any], status: int) -> None:
    answer = await rig.owner.http.post(f"{await one(rig)}/items/1/points", json={"seen": None, **entry})
    assert answer.status_code == status, answer.text
    assert 0 <= (await rig.watched())[0]["adjusted"] <= 15
    none = await rig.owner.http.post(f"{await one(rig)}/items/3/points", json={"seen": None, **entry})
    assert none.status_code in (404, 422)


async def test_of_two_who_decide_at_once_one_looks_again(rig: Rig) -> None:
    bob, path = await colleague(rig), f"{await one(rig)}/decisions"
    bodies = [(rig.owner, "advance"), (bob, "reject")]
    answers = await asyncio.gather(
        *[who.http.post(path, json={"decision": word, "seen": None}) for who, word in bodies]
    )
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert {answer.json().get("code") for answer in answers} == {None, "changed_meanwhile"}
    told = (await bob.http.get(f"{await one(rig)}/review")).json()["decisions"]
    again = {"decision": "hold", "reason": "Talk first.", "seen": told[0]["id"]}
    told = (await bob.http.post(path, json=again)).json()["decisions"]
    assert (told[0]["decision"], told[0]["by"], told[0]["reason"], len(told)) == ("hold", "bob", "Talk first.", 2)
    assert (await rig.watched())[0]["decision"] == "hold"


async def test_changes_are_limited(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "ENTRIES", 1)
    path = f"{await one(rig)}/decisions"
    first = (await rig.owner.http.post(path, json={"decision": "hold", "seen": None})).json()["decisions"][0]
    more = await rig.owner.http.post(path, json={"decision": "none", "seen": first["id"]})
    assert code_of(more) == (409, "too_many_entries")


async def review_it_all(rig: Rig, who: Person) -> None:
    """Create one record of each kind as this person: a note, a score, added points and a decision."""
    (criterion,) = (await save_rubric(rig, CLARITY))["criteria"]
    person = await one(rig)
    points = {"mode": "add", "points": 1, "reason": "A reason of Bob's.", "seen": None}
    for answer in (
        await who.http.post(f"{person}/notes", json={"text": "A note of Bob's."}),
        await who.http.put(f"{person}/scores/{criterion['id']}", json={"level": 2}),
        await who.http.post(f"{person}/items/1/points", json=points),
        await who.http.post(f"{person}/decisions", json={"decision": "advance", "reason": "", "seen": None}),
    ):
        assert answer.status_code in (200, 201), answer.text


async def test_a_review_is_in_the_export_of_who_wrote_it_and_stays_when_he_leaves(rig: Rig) -> None:
    bob = await colleague(rig)
    await review_it_all(rig, bob)
    told = (await bob.http.get("/api/me/export")).json()
    assert told["review_note"][0]["text"] == "A note of Bob's."
    assert [len(told[table]) for table in ("rubric_score", "manual_points", "decision")] == [1, 1, 1]
    other = (await rig.owner.http.get("/api/me/export")).json()
    assert not any(other[table] for table in ("review_note", "rubric_score", "manual_points", "decision"))
    assert (await bob.http.request("DELETE", "/api/me", json={"password": "ten characters"})).status_code == 204
    person = await one(rig)
    (note,) = (await rig.owner.http.get(f"{person}/notes")).json()["items"]
    assert (note["text"], note["author"]) == ("A note of Bob's.", None)
    told = (await rig.owner.http.get(f"{person}/review")).json()
    assert (told["decisions"][0]["by"], told["criteria"][0]["scores"][0]["reviewer"]) == (None, None)
    assert (await rig.watched())[0]["adjusted"] == 8.5


async def test_a_review_goes_with_the_candidate(rig: Rig) -> None:
    await review_it_all(rig, rig.owner)
    assert (await rig.owner.http.delete(await one(rig))).status_code == 204
    assert [await rig.count(table) for table in (ReviewNote, RubricScore, ManualPoints, Decision)] == [0] * 4
