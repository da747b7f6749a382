"""Tests variants of challenges in assessments. Each participation gets one of the variants, and everything about its item, from
the statement to the report, is about this variant.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from api.hiring.participations.deadline_sweeper import sweep_versions
from api.hiring.plans.plan import Plan
from api.hiring.plans.random_items import draw, drawn_digest
from api.hiring.results.pdf.similarity_blocks import similar
from api.hiring.results.schemas import Similarity
from grader.content.variants.declared import declaration
from tests.api.challenge_folders import STEPS, write_variants
from tests.api.hiring.authoring.authoring_rig import good
from tests.api.hiring.results.results_rig import ONE, Cohort
from tests.api.hiring.results.test_passages import disguised
from tests.api.hiring.taking_rig import Rig, Taker, code_of, plan_of, rig_in

pytestmark = pytest.mark.anyio
CHOICE = {"kind": "challenge", "name": "add-one", "variants": True}
SECTIONS = [{"key": "code", "title": "Code", "items": [{"key": "one", "points": 10, "choices": [CHOICE]}]}]
RIGHT = "def add_one(x):\n    return x + 1\n"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A team with an open assessment that draws one of four variants."""
    async with rig_in(home, monkeypatch, poll_s=0.05) as rig:
        write_variants(folder_of(rig))
        rig.service.state.store.reload()
        await rig.assess(sections=SECTIONS, verdicts="at_once")
        yield rig


def folder_of(rig: Rig) -> Path:
    return rig.service.state.store.root / "basics" / "add-one"


async def starts(rig: Rig, count: int = 1) -> list[tuple[Taker, dict[str, Any]]]:
    """Let candidates start and open the item. Return their browsers, and the item as they see it."""
    takers = [await rig.start((await rig.invite())["token"]) for _ in range(count)]
    return [(taker, (await taker.open())["challenge"]) for taker in takers]


def variant_of(rig: Rig, shown: dict[str, Any]) -> str:
    """Return the name of the variant that a candidate sees."""
    variants = rig.service.state.store.catalogue.get("add-one").variants
    return next(each.name for each in variants if each.digest == shown["digest"])


def test_the_draw_is_stable_for_a_seed_and_even_over_seeds() -> None:
    plan = Plan.model_validate(plan_of(sections=SECTIONS))
    digests = {"challenge:add-one": "plain", **{f"variant:add-one:{step}": step for step in STEPS}}
    drawn = [drawn_digest(draw(plan, seed)[0], digests, seed) for seed in range(2000)]
    assert drawn == [drawn_digest(draw(plan, seed)[0], digests, seed) for seed in range(2000)]
    counts = Counter(drawn)
    assert set(counts) == set(STEPS)
    # 500 each on average. The seeds are fixed, so the counts never change.
    assert 440 < min(counts.values()) <= max(counts.values()) < 560


def test_a_choice_without_variants_gives_the_plain_challenge() -> None:
    plain = Plan.model_validate(plan_of())
    digests = {"challenge:add-one": "plain", "variant:add-one:two": "two"}
    assert {drawn_digest(draw(plain, seed)[0], digests, seed) for seed in range(50)} == {"plain"}
    asked = Plan.model_validate(plan_of(sections=SECTIONS))
    assert drawn_digest(draw(asked, 1)[0], {"challenge:add-one": "plain"}, 1) == "plain"


async def test_candidates_get_different_variants_and_read_only_their_own(rig: Rig) -> None:
    seen = {variant_of(rig, shown): shown for _, shown in await starts(rig, 12)}
    assert len(seen) > 1
    for step, shown in seen.items():
        number = STEPS.index(step)
        assert ("Add" in shown["statement"]) == (number > 0)
        assert (f"Add {step}: write" in shown["statement"], f"# {step}" in shown["starter"]) == (number > 0, number > 0)
        assert "variant" not in str(shown), "a candidate learns nothing about variants"
    practised = good(await rig.service.client().get("/api/challenges/add-one"))
    assert practised["statement"].startswith("Write")
    assert "variant" not in str(practised)


async def test_answers_are_judged_and_rejudged_on_the_variant_that_was_shown(rig: Rig) -> None:
    node = await rig.service.node()
    await node.ready(other=2)
    taker, shown = (await starts(rig))[0]
    sent = good(await taker.send(RIGHT), 201)
    job = await node.take()
    assert job.digest == shown["digest"]
    await node.judge(job)
    async with asyncio.timeout(20):
        while (await taker.state())["sections"][0]["items"][0]["unfinished"]:
            await asyncio.sleep(0.05)
    declaration(folder_of(rig)).unlink()
    rig.service.state.store.reload()
    at = f"{rig.path}/participations/{(await rig.watched())[0]['id']}/submissions/{sent['id']}"
    good(await rig.owner.http.post(f"{at}/rejudge"), 202)
    assert (await node.take()).digest == shown["digest"], "also after the variants were removed from the catalogue"


async def test_an_open_assessment_keeps_its_variants_and_no_version_is_swept_away(rig: Rig) -> None:
    before = {each.digest for each in rig.service.state.store.catalogue.get("add-one").variants}
    write_variants(folder_of(rig), says="{} is added")
    rig.service.state.store.reload()
    after = {each.digest for each in rig.service.state.store.catalogue.get("add-one").variants}
    assert before != after
    assert await sweep_versions(rig.service.state.db, rig.service.state.store, older_than_s=-1) == 0
    assert {shown["digest"] for _, shown in await starts(rig, 8)} <= before
    good(await rig.owner.http.post(f"{rig.path}/open"))
    assert {shown["digest"] for _, shown in await starts(rig, 8)} <= after, "opening it again pins the new ones"


async def test_existing_plans_keep_the_plain_challenge(rig: Rig) -> None:
    await rig.assess()
    plain = rig.service.state.store.catalogue.get("add-one").package.digest
    assert {shown["digest"] for _, shown in await starts(rig, 6)} == {plain}


async def test_variants_can_be_switched_on_while_the_assessment_is_open(rig: Rig) -> None:
    await rig.assess()
    plan = plan_of(sections=SECTIONS)
    good(await rig.owner.http.put(f"{rig.path}/plan", json={"version": 1, "plan": plan}))
    plain = rig.service.state.store.catalogue.get("add-one").package.digest
    assert plain not in {shown["digest"] for _, shown in await starts(rig, 4)}


async def test_the_team_sees_each_variant_and_what_a_seed_draws(rig: Rig) -> None:
    at = f"/api/teams/{rig.team}/challenge-variants"
    (listed,) = good(await rig.owner.http.get(at))["items"]
    assert listed["slug"] == "add-one"
    assert [(each["name"], each["summary"]) for each in listed["variants"]] == [(s, f"adds {s}") for s in STEPS]
    shown = good(await rig.owner.http.get(f"{at}/add-one/three"))
    assert (shown["slug"], shown["statement"][:16]) == ("add-one", "Add three: write")
    for missing in ("add-one/five", "add-two/one"):
        assert code_of(await rig.owner.http.get(f"{at}/{missing}")) == (404, "variant_not_found")
    drawn = set()
    for seed in range(12):
        preview = good(await rig.owner.http.get(f"{rig.path}/preview", params={"seed": seed}))
        drawn.add(preview["sections"][0]["items"][0]["variant"])
    assert drawn <= {f"adds {step}" for step in STEPS}
    assert len(drawn) > 1
    assert good(await rig.owner.http.get(rig.path))["pinned"] == ["challenge:add-one"]


async def test_a_quiz_has_no_variants(rig: Rig) -> None:
    quiz = {"key": "two", "points": 5, "choices": [{"kind": "quiz", "name": "adding", "variants": True}]}
    plan = plan_of(sections=[{"key": "quiz", "title": "Questions", "items": [quiz]}])
    saved = await rig.owner.http.put(f"{rig.path}/plan", json={"version": 1, "plan": plan})
    assert code_of(saved) == (422, "plan_unusable")
    assert "a quiz has no variants" in saved.json()["message"]


async def test_an_author_is_warned_if_there_are_no_variants_to_draw_from(rig: Rig) -> None:
    declaration(folder_of(rig)).unlink()
    rig.service.state.store.reload()
    body = {"name": "Second round", "plan": plan_of(sections=SECTIONS)}
    made = good(await rig.owner.http.post(f"/api/teams/{rig.team}/assessments", json=body), 201)
    (warning,) = [each for each in made["warnings"] if each["field"] == "sections.0.items.0.choices.0"]
    assert warning["message"] == "“Add one” has no variants now, so every candidate gets the same task."
    opened = good(await rig.owner.http.get(rig.path))
    assert not any("has no variants" in each["message"] for each in opened["warnings"]), "its variants are pinned"


async def test_reports_and_results_name_the_variant(rig: Rig) -> None:
    cohort = Cohort(rig)
    for name in ("Ann", "Ben", "Cem", "Dan", "Eva"):
        await cohort.takes(name, disguised(ONE) if name == "Ben" else ONE, 4)
    people = (await cohort.told())["people"]
    variants = {person["name"]: person["items"][0]["variant"] for person in people}
    assert set(variants.values()) <= {f"adds {step}" for step in STEPS}
    for person in people:
        report = await cohort.told(f"/participations/{person['participation_id']}")
        assert report["items"][0]["variant"] == variants[person["name"]]
    sheet = (await rig.owner.http.get(f"{rig.path}/results.csv")).text
    assert "add-one: variant" in sheet.splitlines()[0]
    assert all(variant in sheet for variant in variants.values())
    for pair in (await cohort.look())["pairs"]:
        left, right = pair["left"], pair["right"]
        assert left["variant"] == variants[left["name"]]
        assert pair["variants_differ"] == (not right["reference"] and variants[left["name"]] != variants[right["name"]])
    ann = next(person["participation_id"] for person in people if person["name"] == "Ann")
    alike = Similarity.model_validate(await cohort.told(f"/participations/{ann}/similarity"))
    rows = [row for block in similar(alike, ann) for row in block.get("rows", [])]
    assert any("different variants" in row[1] for row in rows) == any(pair.variants_differ for pair in alike.pairs)


async def test_results_compare_the_variants_of_a_challenge(rig: Rig) -> None:
    cohort = Cohort(rig)
    for number in range(8):
        await cohort.takes(f"Eve {number}", RIGHT, number % 5, seconds=60 * (number + 1))
    told = await cohort.told()
    of_variant: dict[str, list[dict[str, Any]]] = {}
    for person in told["people"]:
        of_variant.setdefault(person["items"][0]["variant"], []).append(person["items"][0])
    assert len(of_variant) > 1, "eight candidates get more than one of four variants, with all but one chance in 16,384"
    assert told["items"][0]["variants"] == [
        {
            "variant": name,
            "people": len(got),
            "solved": sum(each["score"] == 10 for each in got),
            "median_score": median(each["score"] for each in got),
            "median_s": median(each["seconds"] for each in got),
        }
        for name, got in sorted(of_variant.items())
    ]


async def test_a_challenge_without_variants_is_not_compared(rig: Rig) -> None:
    await rig.assess()
    cohort = Cohort(rig)
    await cohort.takes("Ann", RIGHT, 4)
    assert [each["variants"] for each in (await cohort.told())["items"]] == [[], []]


async def test_a_shared_report_does_not_tell_of_variants(rig: Rig) -> None:
    cohort = Cohort(rig)
    participation = await cohort.takes("Ann", RIGHT, 4)
    made = good(await rig.owner.http.post(f"{rig.path}/participations/{participation}/report-links", json={}), 201)
    shared = good(await rig.service.client().get(f"/api/shared-reports/{made['link'].rpartition('/')[2]}"))
    assert "variant" not in str(shared)


async def test_variants_that_are_not_proven_are_left_out_with_the_reason(rig: Rig) -> None:
    path = declaration(folder_of(rig))
    for broken in (path.read_text() + "\n# changed\n", "[[parameter]]\nname = 1\n", ""):
        path.write_text(broken)
        read = rig.service.state.store.reload()
        assert read.get("add-one").variants == ()
        (left_out,) = read.left_out
        assert left_out.folder == "variants/add-one.toml"
