"""Tests the ready-made assessments: every file of the repository is sound, a team gets those whose items are there, and their
time limits follow the times of real candidates.
"""

import tomllib
from collections.abc import AsyncIterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from api.hiring.ready_made_assessments import assessment_files
from api.hiring.ready_made_assessments.assessment_files import ReadyMade, ReadyMadeSection
from api.hiring.ready_made_assessments.solve_times import LEAST_PEOPLE, solve_times
from tests.api.challenge_folders import write_challenge
from tests.api.hiring.results.results_rig import Cohort
from tests.api.hiring.taking_rig import Rig, plan_of, rig_in
from tests.live import ROOT

CHALLENGES = ROOT / "challenges"
FOLLOWING: dict[str, list[str]] = tomllib.loads((CHALLENGES / "follow_ups.toml").read_text())
FILES = sorted((CHALLENGES / assessment_files.FOLDER).glob("*.toml"))
ROLES = {
    "ml-engineer-junior", "ml-engineer-mid", "ml-engineer-senior", "research-engineer", "inference-engineer", "data-engineer",
    "computer-vision", "teaching-course",
}  # fmt: skip
# The other fields of a choice.
NOTHING_ELSE = {"variants": False, "follow_ups": [], "question": None}
ADDING = """name = "Adding"
about = "One sum."
order = 2
minutes = 45
[[section]]
title = "Code"
items = [["add-one"], ["quiz:adding"]]
"""


FOLLOWED = """name = "Adding, then twice"
about = "One sum, what follows it, and why."
order = 3
minutes = 30
[[section]]
title = "Code"
items = [["add-one"]]
follow_ups = 1
[[section.question]]
title = "Your sum"
prompt = "Why does your answer work for a tensor too?"
guide = "Because `+` broadcasts."
about = "add-one"
minutes = 4
points = 5
"""


def names_of(item: ReadyMade) -> list[str]:
    return [name for section in item.section for item in section.items for name in item]


def minutes_of(section: ReadyMadeSection, name: str) -> float:
    """Return the minutes that the authors of a challenge and of its follow-ups expect, or 8 minutes for a quiz."""
    followed = FOLLOWING.get(name, [])[: section.follow_ups]
    return 8 if ":" in name else sum(info_of(slug)["minutes"] for slug in (name, *followed))


def info_of(slug: str) -> dict[str, Any]:
    """Return the contents of a challenge's challenge.toml."""
    (path,) = CHALLENGES.glob(f"*/{slug}/challenge.toml")
    return tomllib.loads(path.read_text())


def test_there_is_one_for_each_role() -> None:
    assert {path.stem for path in FILES} == ROLES
    assert len({assessment_files.read(path).order for path in FILES}) == len(FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_names_what_exists_and_treats_candidates_alike(path: Path) -> None:
    item = assessment_files.read(path)
    names = names_of(item)
    assert len(set(names)) == len(names), "no task can be given twice"
    for name in names:
        kind, _, topic = name.partition(":")
        if kind == "quiz":
            assert list(CHALLENGES.glob(f"topics/*/{topic}/quiz.toml")), name
        else:
            assert info_of(name).get("visibility", "public") == "public", name
    for section in item.section:
        followed = [FOLLOWING.get(name, [])[: section.follow_ups] for name in chain(*section.items) if ":" not in name]
        assert all(len(slugs) == section.follow_ups for slugs in followed), "each challenge has its follow-ups"
        assert not set(names) & set(chain(*followed)), "no task can be given twice"
        assert section.draw is None or section.draw < len(section.items)
        pools = section.items if section.draw is None else [list(chain(*section.items))]
        for pool in pools:
            levels = {info_of(name)["difficulty"] for name in pool if ":" not in name}
            assert len(levels) <= 1, f"{pool}: alternatives must be equally difficult"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_time_limit_fits_its_tasks(path: Path) -> None:
    item = assessment_files.read(path)
    expected = 0.0
    for section in item.section:
        each = [
            sum(minutes_of(section, name) for name in alternatives) / len(alternatives)
            for alternatives in section.items
        ]
        expected += sum(each) * (section.draw or len(each)) / len(each)
        expected += sum(question.minutes for question in section.question)
    assert 0.9 * expected <= item.minutes <= 1.7 * expected, f"{expected:.0f} minutes are expected"


@pytest.fixture
async def rig(home: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    """A site with three ready-made assessments: a sound one, one with a challenge that is not there, and a broken one."""
    folder = home / "challenges" / assessment_files.FOLDER
    folder.mkdir(parents=True)
    (folder / "adding.toml").write_text(ADDING)
    (folder / "subtracting.toml").write_text(
        ADDING.replace("add-one", "subtract-one").replace("order = 2", "order = 1")
    )
    (folder / "broken.toml").write_text("name = 3")
    async with rig_in(home, monkeypatch) as rig:
        yield rig


async def listed(rig: Rig) -> list[dict[str, Any]]:
    """Return the ready-made assessments as the team gets them."""
    answer = await rig.owner.http.get(f"/api/teams/{rig.team}/ready-made-assessments")
    assert answer.status_code == 200, answer.text
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


@pytest.mark.anyio
async def test_a_team_gets_those_whose_items_are_there(rig: Rig) -> None:
    (one,) = await listed(rig)
    assert (one["id"], one["minutes"], one["measured"], one["verdicts"]) == ("adding", 45, 0, "after")
    (section,) = one["sections"]
    assert [item["choices"] for item in section["items"]] == [
        [{"kind": "challenge", "name": "add-one", **NOTHING_ELSE}],
        [{"kind": "quiz", "name": "adding", **NOTHING_ELSE}],
    ]
    assert section["items"][0]["minutes"] == 3, "as the author of the challenge estimates"


@pytest.mark.anyio
async def test_follow_ups_and_questions_are_part_of_a_role(rig: Rig) -> None:
    root = rig.service.settings.challenges_dir
    (root / assessment_files.FOLDER / "followed.toml").write_text(FOLLOWED)
    assert [each["id"] for each in await listed(rig)] == ["adding"], "the challenge has no follow-up"
    write_challenge(root, "add-twice", title="Add twice")
    (root / "follow_ups.toml").write_text('add-one = ["add-twice"]\n')
    rig.service.state.store.reload()
    one = next(each for each in await listed(rig) if each["id"] == "followed")
    code, question = one["sections"][0]["items"]
    assert code["choices"] == [
        {"kind": "challenge", "name": "add-one", **NOTHING_ELSE, "follow_ups": ["add-twice"]},
    ]
    assert (code["minutes"], code["points"], question["minutes"], question["points"]) == (6, None, 4, 5)
    (asked,) = question["choices"]
    assert (asked["kind"], asked["name"]) == ("question", "your-sum")
    assert asked["question"] == {
        "title": "Your sum", "prompt": "Why does your answer work for a tensor too?", "about": "add-one",
        "answer": {"type": "text", "max_length": 2000, "guide": "Because `+` broadcasts."},
    }  # fmt: skip
    adding = next(each for each in await listed(rig) if each["id"] == "adding")
    assert adding["sections"][0]["items"][0]["choices"][0]["follow_ups"] == [], "only where the role asks for them"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('about = "add-one"', 'about = "add-two"', "add-two"),
        ('items = [["add-one"]]', 'items = [["add-one"], ["add-three"]]\ndraw = 1', "draw"),
        ("follow_ups = 1", "follow_ups = 4", "less than or equal to 3"),
        ("follow_ups = 1\n[[section.question]]", "follow_ups = 1\n[[section.question]]\nanswer = 3", "answer"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in FOLLOWED
    path = tmp_path / "role.toml"
    path.write_text(FOLLOWED.replace(old, new))
    with pytest.raises(ValueError, match=problem):
        assessment_files.read(path)


@pytest.mark.anyio
async def test_time_limits_follow_the_times_of_candidates(rig: Rig) -> None:
    await rig.assess(sections=plan_of()["sections"][:1])
    cohort = Cohort(rig)
    for number in range(LEAST_PEOPLE):
        await cohort.takes(f"Eve {number}", f"x = {number}", 4, seconds=600 + 60 * number)
    for number in range(3):
        await cohort.takes(f"Ben {number}", f"y = {number}", 3, seconds=6)
    async with rig.service.state.db.read() as session:
        assert await solve_times(session) == {("challenge", "add-one"): 720}, "only solved items count"
    (one,) = await listed(rig)
    assert (one["measured"], one["sections"][0]["items"][0]["minutes"]) == (1, 12)
    quiz = one["sections"][0]["items"][1]["minutes"]
    assert one["minutes"] == -(-round(1.4 * (12 + quiz)) // 5) * 5


@pytest.mark.anyio
async def test_few_candidates_say_nothing(rig: Rig) -> None:
    await rig.assess(sections=plan_of()["sections"][:1])
    cohort = Cohort(rig)
    for number in range(LEAST_PEOPLE - 1):
        await cohort.takes(f"Eve {number}", f"x = {number}", 4)
    assert (await listed(rig))[0]["measured"] == 0
