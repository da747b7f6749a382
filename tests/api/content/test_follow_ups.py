"""Tests which challenges follow which: what the catalogue shows of them, and what it refuses."""

from pathlib import Path

import pytest

from api.content.catalogue import follow_ups
from api.content.catalogue.catalogue import Catalogue
from api.content.catalogue.schemas import card
from api.content.catalogue.service import read_catalogue
from grader.contract.errors import PackageError
from tests.api.challenge_folders import write_challenge

SLUGS = ("add-one", "add-two", "add-three")
CHALLENGES = Path(__file__).resolve().parents[3] / "challenges"


def catalogue_with(home: Path, text: str) -> Catalogue:
    for slug in () if (home / "challenges").exists() else SLUGS:
        write_challenge(home / "challenges", slug, title=slug.title())
    (home / "challenges" / "follow_ups.toml").write_text(text)
    return read_catalogue(home / "challenges", serve_unproven=True)


def test_cards_name_follow_ups_and_the_base(home: Path) -> None:
    found = catalogue_with(home, 'add-one = ["add-three", "add-two"]\n')
    assert found.left_out == ()
    base, last = card(found.get("add-one")), card(found.get("add-two"))
    assert [(each.id, each.title) for each in base.follow_ups] == [("add-three", "Add-Three"), ("add-two", "Add-Two")]
    assert base.follow_up_to is None
    assert last.follow_up_to is not None
    assert (last.follow_up_to.id, last.follow_ups) == ("add-one", [])


def test_another_order_is_another_catalogue(home: Path) -> None:
    one = catalogue_with(home, 'add-one = ["add-two", "add-three"]\n').version
    assert one != catalogue_with(home, 'add-one = ["add-three", "add-two"]\n').version


def test_an_unknown_slug_is_reported_and_the_rest_is_served(home: Path) -> None:
    found = catalogue_with(home, 'add-one = ["add-two"]\nadd-three = ["nobody"]\n')
    assert [(each.folder, each.reason) for each in found.left_out] == [
        ("follow_ups.toml", "add-three: names challenges that are not served: nobody")
    ]
    assert found.get("add-one").follow_ups


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('a = ["b"]\nb = ["a"]\n', "cannot have follow-ups"),
        ('a = ["a"]\n', "cannot have follow-ups"),
        ('a = ["b"]\nb = ["c"]\n', "cannot have follow-ups"),
        ('a = ["c"]\nb = ["c"]\n', "named twice, for a and b"),
        ('a = ["b", "b"]\n', "named twice, for a and a"),
        ('a = ["b", "c", "d", "e"]\n', "name 1 to 3"),
        ("a = []\n", "name 1 to 3"),
        ('a = "b"\n', "Write lines of the form"),
        ("a = [\n", "Write lines of the form"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(home: Path, text: str, reason: str) -> None:
    found = catalogue_with(home, text)
    assert [each.folder for each in found.left_out] == ["follow_ups.toml"]
    assert reason in found.left_out[0].reason
    assert len(found.challenges) == len(SLUGS)
    with pytest.raises(PackageError):
        follow_ups.load(home / "challenges")


def test_six_challenges_of_the_catalogue_have_follow_ups() -> None:
    assert len(follow_ups.load(CHALLENGES)) == 6
