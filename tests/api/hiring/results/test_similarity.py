"""Tests the search for similar answers. Answers are compared on request. The result is stored until an answer or a challenge
changes. When a candidate is erased, the pairs with this candidate's answers are deleted.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.hiring.results import similarity
from api.hiring.results.models import SimilarityCheck, SimilarityPair
from api.hiring.results.pdf.similarity_blocks import similar
from api.hiring.results.schemas import Similarity
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.authoring.authoring_rig import Author, files_in
from tests.api.hiring.results.results_rig import ONE, OTHER, Cohort
from tests.api.hiring.results.test_passages import disguised
from tests.api.hiring.taking_rig import code_of, rig_in

pytestmark = pytest.mark.anyio


@pytest.fixture
async def cohort(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cohort]:
    """Three candidates: Ann and Ben sent the same answer with different names, Cem a different one."""
    async with rig_in(home, monkeypatch) as rig:
        await rig.assess()
        cohort = Cohort(rig)
        for name, source in (("Ann", ONE), ("Ben", disguised(ONE)), ("Cem", OTHER)):
            await cohort.takes(name, source, 4)
        yield cohort


async def test_a_copy_with_other_names_is_found_and_an_answer_of_ones_own_is_not(cohort: Cohort) -> None:
    before = await cohort.told("/similarity")
    assert (before["made_at"], before["fresh"], before["pairs"]) == (None, False, [])
    told = await cohort.look()
    assert (told["fresh"], told["answers"], told["threshold"]) == (True, 3, 0.6)
    (pair,) = told["pairs"]
    assert {pair["left"]["name"], pair["right"]["name"]} == {"Ann", "Ben"}
    assert min(pair["left"]["share"], pair["right"]["share"]) > 0.8
    people = {person["name"]: person["similarity"] for person in (await cohort.told())["people"]}
    assert people["Cem"] is None
    assert (people["Ann"] > 0.8, people["Ben"] > 0.8) == (True, True)


async def test_a_worse_answer_after_the_copied_one_hides_nothing(cohort: Cohort) -> None:
    await cohort.takes("Dan", OTHER, 4, later=[("raise ValueError", 0)])
    pairs = {frozenset((pair["left"]["name"], pair["right"]["name"])) for pair in (await cohort.look())["pairs"]}
    assert pairs == {frozenset(("Ann", "Ben")), frozenset(("Cem", "Dan"))}


async def test_a_pair_shows_both_sources_and_the_lines_that_they_share(cohort: Cohort) -> None:
    (pair,) = (await cohort.look())["pairs"]
    told = await cohort.told(f"/similarity/{pair['id']}")
    assert {told["left_source"], told["right_source"]} == {ONE, disguised(ONE)}
    for side in ("left", "right"):
        last = len(told[f"{side}_source"].splitlines())
        assert all(1 <= first <= end <= last for first, end in (passage[side] for passage in told["passages"]))
    nothing = await cohort.rig.owner.http.get(f"{cohort.rig.path}/similarity/{'0' * 32}")
    assert code_of(nothing) == (404, "pair_not_found")


async def test_a_candidates_report_lists_the_pairs_of_this_candidate(cohort: Cohort) -> None:
    ids = {person["name"]: person["participation_id"] for person in (await cohort.told())["people"]}
    before = await cohort.told(f"/participations/{ids['Ann']}/similarity")
    assert (before["made_at"], before["pairs"]) == (None, [])
    everything = await cohort.look()
    told = {name: await cohort.told(f"/participations/{key}/similarity") for name, key in ids.items()}
    assert told["Ann"]["pairs"] == told["Ben"]["pairs"] == everything["pairs"]
    assert told["Cem"] == {**everything, "pairs": []}


async def test_the_report_on_paper_says_whom_an_answer_resembles(cohort: Cohort) -> None:
    ids = {person["name"]: person["participation_id"] for person in (await cohort.told())["people"]}
    await cohort.look()
    alike = Similarity.model_validate(await cohort.told(f"/participations/{ids['Ben']}/similarity"))
    _, table, facts = similar(alike, ids["Ben"])
    assert [row[:2] for row in table["rows"]] == [["Add one", "Ann"]]
    assert "Similarity alone is not evidence" in facts["text"]
    none = Similarity.model_validate(await cohort.told(f"/participations/{ids['Cem']}/similarity"))
    assert "No answer shares 60% or more" in list(similar(none, ids["Cem"]))[-1]["text"]


async def test_nothing_is_compared_twice_and_something_new_is_said(
    cohort: Cohort, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await cohort.look()
    # From here on, a comparison would fail, because the program for it does not exist.
    monkeypatch.setattr(similarity, "PROGRAM", Path("/nowhere.py"))
    assert await cohort.look() == first
    await cohort.takes("Dan", ONE, 4)
    told = await cohort.told("/similarity")
    assert (told["fresh"], len(told["pairs"])) == (False, 1)
    monkeypatch.undo()
    assert len((await cohort.look())["pairs"]) == 3


async def test_attempts_of_one_person_are_not_compared(cohort: Cohort) -> None:
    await cohort.rig.assess(attempts=2)
    token = (await cohort.rig.invite())["token"]
    for _ in range(2):
        await cohort.takes_again(token, "Eve", OTHER + "\n\nx = 1\n", 4)
    # Cem sent the same answer in the earlier assessment.
    told = (await cohort.look())["pairs"]
    assert [(pair["left"]["name"], pair["right"]["name"]) for pair in told] == [("Eve", "Cem")] * 2
    assert (told[0]["right"]["elsewhere"], told[0]["right"]["participation_id"]) == ("First round", None)


async def test_answers_of_other_teams_are_never_compared(cohort: Cohort) -> None:
    rig = cohort.rig
    rig.team = (await rig.owner.http.post("/api/teams", json={"name": "Others"})).json()["id"]
    await rig.assess()
    await cohort.takes("Eve", ONE, 4)
    assert (await cohort.look())["pairs"] == []


async def test_the_catalogue_and_its_editorial_are_found(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_challenge(home / "challenges", section="more", slug="long-one")
    (folder / "submissions" / "accepted" / "a.py").write_text(ONE)
    # wrong.toml modifies the accepted answer that was just replaced, so it no longer applies.
    (folder / "wrong.toml").unlink()
    (folder / "editorial.md").write_text(f"So:\n\n```python\n{OTHER}```\n")
    async with rig_in(home, monkeypatch) as rig:
        item = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "long-one"}]}
        await rig.assess(sections=[{"key": "code", "title": "Code", "items": [item]}])
        cohort = Cohort(rig)
        await cohort.takes("Ann", disguised(ONE), 4)
        await cohort.takes("Ben", OTHER, 4)
        told = (await cohort.look())["pairs"]
        found = {(pair["left"]["name"], pair["right"]["name"], pair["right"]["reference"]) for pair in told}
        assert found == {("Ann", "An accepted answer of the catalogue", True), ("Ben", "The editorial", True)}
        shown = [await cohort.told(f"/similarity/{pair['id']}") for pair in told]
        assert {one["right_source"] for one in shown} == {ONE, OTHER}
        (folder / "submissions" / "accepted" / "a.py").write_text(OTHER)
        rig.service.state.store.reload()
        gone = await rig.owner.http.get(f"{rig.path}/similarity/{told[0]['id']}")
        assert code_of(gone) == (409, "look_again")


async def test_answers_to_an_own_challenge_are_compared_with_its_own_references(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig_in(home, monkeypatch) as rig:
        author, node = Author(rig.owner, rig.team), await rig.service.node(proves=True)
        await node.ready()
        await author.make()
        files = files_in(home) | {"submissions/accepted/a.py": ONE, "editorial.md": f"So:\n\n```python\n{OTHER}```\n"}
        # wrong.toml modifies an accepted answer that is not among these files.
        del files["wrong.toml"]
        await author.publish(node, files)
        node.kill()
        item = {"key": "one", "points": 10, "choices": [{"kind": "challenge", "name": "own/add-one"}]}
        await rig.assess(sections=[{"key": "code", "title": "Code", "items": [item]}])
        cohort = Cohort(rig)
        await cohort.takes("Ann", disguised(ONE), 4)
        await cohort.takes("Ben", OTHER, 4)
        # Answers are still compared after the challenge was archived, although no plan can choose it any more.
        assert (await rig.owner.http.post(f"{author.one}/archive?anyway=true")).status_code == 200
        told = await cohort.look()
        found = {(pair["title"], pair["left"]["name"], pair["right"]["name"]) for pair in told["pairs"]}
        ours = "Add one, ours"
        assert found == {(ours, "Ann", "An accepted answer of your own"), (ours, "Ben", "The editorial")}
        shown = [await cohort.told(f"/similarity/{pair['id']}") for pair in told["pairs"]]
        assert {one["right_source"] for one in shown} == {ONE, OTHER}


async def test_what_was_found_goes_with_the_people(cohort: Cohort) -> None:
    await cohort.look()
    assert (await cohort.rig.count(SimilarityCheck), await cohort.rig.count(SimilarityPair)) == (1, 1)
    ann = next(row["id"] for row in await cohort.rig.watched() if row["name"] == "Ann")
    assert (await cohort.rig.owner.http.delete(f"{cohort.rig.path}/participations/{ann}")).status_code == 204
    assert await cohort.rig.count(SimilarityPair) == 0
    assert (await cohort.told("/similarity"))["fresh"] is False


async def test_what_takes_too_long_is_ended_and_said(cohort: Cohort, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "LIMIT_S", 0.001)
    answer = await cohort.rig.owner.http.post(f"{cohort.rig.path}/similarity")
    assert (answer.status_code, "too long" in answer.json()["message"]) == (429, True)
    assert answer.headers["retry-after"] == "60"
