"""Tests the plans of assessments, which say how each candidate's items are drawn. A valid plan draws exactly the items that it
specifies, and the same seed always draws the same items. All problems of an invalid plan are reported together.
"""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.service import read_catalogue
from api.hiring.plans.plan import Plan, check, digests
from api.hiring.plans.random_items import draw
from api.hiring.plans.totals import follow_up_counts, total
from tests.api.challenge_folders import write_challenge
from tests.api.topic_folders import write_topic

SEEDS = st.one_of(st.integers(), st.text(max_size=20))


def section(key: str, *items: Any, **more: Any) -> dict[str, Any]:
    return {"key": key, "title": key.title(), "items": list(items), **more}


def item(key: str, *names: str, points: int = 10) -> dict[str, Any]:
    choices = [{"kind": "quiz" if name == "adding" else "challenge", "name": name} for name in names]
    return {"key": key, "points": points, "choices": choices}


def plan(*sections: Any, **more: Any) -> Plan:
    return Plan.model_validate({"minutes": 60, "sections": list(sections), **more})


@pytest.fixture
def catalogue(home: Path) -> Catalogue:
    """A catalogue with add-one, add-two and add-three, the topic adding with a quiz, and a topic without a quiz."""
    for slug in ("add-one", "add-two", "add-three"):
        write_challenge(home / "challenges", slug)
    write_topic(home / "challenges")
    write_topic(home / "challenges", "silent", quiz="")
    return read_catalogue(home / "challenges", serve_unproven=True)


@st.composite
def plans(drawn: st.DrawFn) -> Plan:
    """Generate random valid plans, in which each key and each challenge's name occurs once."""
    sections = []
    for number in range(drawn(st.integers(1, 4))):
        items = []
        for position in range(drawn(st.integers(1, 6))):
            names = [f"c-{number}-{position}-{choice}" for choice in range(drawn(st.integers(1, 3)))]
            items.append(item(f"i-{number}-{position}", *names, points=drawn(st.integers(1, 1000))))
        wanted = drawn(st.none() | st.integers(1, len(items)))
        sections.append(section(f"s-{number}", *items, draw=wanted))
    return plan(*sections)


@given(plans(), SEEDS)
@settings(max_examples=200, deadline=None)
def test_a_plan_draws_exactly_what_it_says(made: Plan, seed: int | str) -> None:
    items = draw(made, seed)
    assert items == draw(Plan.model_validate_json(made.model_dump_json()), seed), "stored and read it is the same"
    for part in made.sections:
        mine = [found for found in items if found.section_key == part.key]
        assert len(mine) == (len(part.items) if part.draw is None else part.draw)
        order = [found.key for found in part.items]
        places = [order.index(found.item_key) for found in mine]
        assert places == sorted(set(places)), "each once, in the plan's order"
        for found, place in zip(mine, places, strict=True):
            wanted = part.items[place]
            assert (found.kind, found.name) in [(choice.kind, choice.name) for choice in wanted.choices]
            assert found.points == wanted.points
    sums = total(made)
    assert sums.least <= sum(found.points for found in items) <= sums.most
    assert sums.items == len(items)


@given(plans(), SEEDS)
@settings(max_examples=50, deadline=None)
def test_what_one_section_holds_changes_nothing_in_the_others(made: Plan, seed: int | str) -> None:
    alone = made.model_copy(update={"sections": made.sections[-1:]})
    assert draw(alone, seed) == [found for found in draw(made, seed) if found.section_key == made.sections[-1].key]


def test_every_choice_and_every_item_is_drawn_for_somebody() -> None:
    pool = section("pool", *(item(f"i-{number}", f"a-{number}", f"b-{number}") for number in range(5)), draw=2)
    drawn = [draw(plan(pool), seed) for seed in range(400)]
    counts: dict[str, int] = {}
    for found in (found for items in drawn for found in items):
        counts[found.name] = counts.get(found.name, 0) + 1
    assert len(counts) == 10
    # In 400 draws of 2 names out of 10, each name is drawn 80 times on average. The seeds are fixed, so the counts never
    # change.
    assert 50 < min(counts.values()) <= max(counts.values()) < 110


def test_total_is_a_range_where_the_draw_decides() -> None:
    pool = section("pool", item("a", "a", points=1), item("b", "b", points=10), item("c", "c", points=100), draw=2)
    sums = total(plan(pool, section("all", item("d", "d", points=5)), minutes=90))
    assert (sums.least, sums.most, sums.items, sums.minutes) == (16, 115, 3, 90)


def test_a_right_plan_has_no_problem_and_names_its_versions(catalogue: Catalogue) -> None:
    made = plan(section("code", item("one", "add-one", "add-two")), section("quiz", item("q", "adding")))
    assert check(made, catalogue) == []
    quiz = catalogue.topics["adding"].quiz
    assert quiz is not None
    assert digests(made, catalogue) == {
        "challenge:add-one": catalogue.by_slug["add-one"].package.digest,
        "challenge:add-two": catalogue.by_slug["add-two"].package.digest,
        "quiz:adding": quiz.digest,
    }


def test_all_problems_are_told_at_once(catalogue: Catalogue) -> None:
    silent = {"key": "silent", "points": 1, "choices": [{"kind": "quiz", "name": "silent"}]}
    nowhere = {"key": "nowhere", "points": 1, "choices": [{"kind": "quiz", "name": "nowhere"}]}
    made = plan(
        section("code", item("one", "add-one", "add-9"), item("one", "add-one"), draw=3, minutes=50),
        section("code", silent, nowhere, minutes=20),
        practice="add-one",
    )
    assert {(found.field, found.message) for found in check(made, catalogue)} == {
        ("sections.0.items.0.choices.1", "there is no challenge 'add-9'"),
        ("sections.0.items.1.key", "the item 'one' is already in the plan"),
        ("sections.0.items.1.choices.0", "the challenge 'add-one' is already in the plan"),
        ("sections.0.draw", "there are only 2 items to draw 3 from"),
        ("sections.1.key", "the section 'code' is already in the plan"),
        ("sections.1.items.0.choices.0", "the topic 'silent' has no quiz"),
        ("sections.1.items.1.choices.0", "there is no topic 'nowhere'"),
        ("minutes", "The section time limits add up to 70 minutes, but the assessment has only 60."),
        ("practice", "the challenge 'add-one' is already in the plan"),
    }
    assert len(draw(made, 1)) == 4, "even a broken plan can be looked at"
    assert [found.field for found in check(plan(section("a", item("a", "add-one")), practice="x"), catalogue)] == [
        "practice"
    ]


CODE = section("code", item("one", "add-one"))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"opens_at": "2026-05-01T09:00:00"}, "timezone"),
        ({"opens_at": 1777626000}, "with a time zone"),
        ({"opens_at": "1777626000"}, "with a time zone"),
        ({"opens_at": "9999-12-31T23:59:59-01:00"}, "must be in the years 2020 to 2100"),
        ({"opens_at": "2026-05-01T09:00:00Z", "closes_at": "2026-05-01T11:00:00+02:00"}, "must be later"),
        ({"minutes": True}, "integer"),
        ({"minutes": 1441}, "1440"),
        ({"recorded": ["keys"]}, "'edits', 'pastes', 'focus' or 'devices'"),
        ({"practice": "Add One"}, "pattern"),
        ({"sections": []}, "at least 1"),
        ({"sections": [section("code")]}, "at least 1"),
        ({"honour": "a\x00b"}, "NUL"),
        ({"sections": [{**CODE, "title": "a\u202eb"}]}, "cannot be seen"),
        ({"colour": "red"}, "Extra"),
    ],
)
def test_what_no_plan_can_say(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        Plan.model_validate({"minutes": 60, "sections": [CODE], **more})


def test_moments_are_kept_in_utc_and_what_is_recorded_in_order() -> None:
    made = plan(CODE, opens_at="2026-05-01T09:00:00+02:00", recorded=["pastes", "edits", "pastes"])
    assert made.opens_at is not None
    assert (made.opens_at.isoformat(), made.recorded) == ("2026-05-01T07:00:00+00:00", ["edits", "pastes"])


def followed(key: str, name: str, *follow_ups: str, points: list[int]) -> dict[str, Any]:
    found = item(key, name) | {"follow_up_points": points}
    found["choices"][0]["follow_ups"] = list(follow_ups)
    return found


def test_follow_ups_are_drawn_with_their_base() -> None:
    made = plan(section("s", followed("a", "add-one", "add-two", "add-three", points=[6, 4]), item("b", "adding")))
    drawn = draw(made, 1)
    assert [(found.name, found.points, found.is_follow_up) for found in drawn] == [
        ("add-one", 10, False), ("add-two", 6, True), ("add-three", 4, True), ("adding", 10, False),
    ]  # fmt: skip
    assert (total(made).items, total(made).most) == (4, 30)
    assert follow_up_counts(made) == [2]


def test_follow_ups_are_checked(catalogue: Catalogue) -> None:
    def problems(*items: Any, **more: Any) -> list[str]:
        return [problem.field for problem in check(plan(section("s", *items, **more)), catalogue)]

    assert problems(followed("a", "add-one", "add-two", points=[5])) == []
    assert problems(followed("a", "add-one", "nobody", points=[5])) == ["sections.0.items.0.choices.0.follow_ups.0"]
    assert problems(followed("a", "add-one", points=[5])) == ["sections.0.items.0.choices.0.follow_ups"]
    assert problems(followed("a", "add-one", "add-two", points=[])) == ["sections.0.items.0.choices.0.follow_ups"]
    assert problems(followed("a", "adding", "add-two", points=[5])) == ["sections.0.items.0.choices.0.follow_ups"]
    twice = problems(followed("a", "add-one", "add-two", points=[5]), item("b", "add-two"))
    assert twice == ["sections.0.items.1.choices.0"]
    unequal = problems(followed("a", "add-one", "add-two", points=[5]), item("b", "add-three"), draw=1)
    assert unequal == ["sections.0.draw"]


def test_follow_ups_are_pinned(catalogue: Catalogue) -> None:
    made = plan(section("s", followed("a", "add-one", "add-two", points=[5])))
    assert set(digests(made, catalogue)) == {"challenge:add-one", "challenge:add-two"}
