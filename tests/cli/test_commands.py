"""Runs every command against a real service, and checks what it prints, what it writes and its exit code."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import BAD, GOOD, Person, Served


def test_catalogue_is_listed_filtered_and_searched(stranger: Person) -> None:
    told = stranger.ok("list", columns=120)
    assert re.search(r"add-one +Add one +easy +basics +3\n", told)
    assert "3 challenges" in told
    assert "add-two" not in stranger.ok("list", "--difficulty", "easy")
    assert "1 challenge." in stranger.ok("list", "--section", "layers")
    assert "add-two" in stranger.ok("list", "--topic", "sums")
    assert "wide-title" in stranger.ok("list", "zebra", "wide-title")
    assert "No challenge matches" in stranger.ok("list", "--form", "fix")
    cards = json.loads(stranger.ok("list", "--json"))
    assert [card["slug"] for card in cards] == ["add-one", "add-two", "wide-title"]


def test_statement_is_shown_with_samples_and_without_secrets(stranger: Person) -> None:
    told = stranger.ok("show", "add-one", "--hints")
    assert "Beware of the zebra" in told
    assert "def test_zero(solution)" in told
    assert "Use the plus sign" in told
    assert "987654321" not in told
    assert "SECRET" not in stranger.ok("show", "add-one", "--json")


def test_unknown_slug_is_told_with_those_alike(stranger: Person) -> None:
    assert "Did you mean add-one" in stranger.refused("show", "ad-one", exit_code=2)
    assert "Did you mean" not in stranger.refused("show", "qqqqqq", exit_code=2)
    assert "no challenge '../../me'" in stranger.refused("show", "../../me", exit_code=2)


def test_pull_makes_a_folder_and_never_overwrites_an_answer(stranger: Person) -> None:
    stranger.ok("pull", "add-one")
    folder = stranger.home / "add-one"
    assert (folder / "answer.py").read_text() == "def add_one(x):\n    ...\n"
    assert "zebra" in (folder / "statement.md").read_text()
    assert "def test_zero" in (folder / "samples.py").read_text()
    (folder / "answer.py").write_text("mine")
    (folder / "statement.md").write_text("scribbled over")
    assert "your answer was kept" in stranger.ok("pull", "add-one")
    assert (folder / "answer.py").read_text() == "mine"
    assert "zebra" in (folder / "statement.md").read_text()


def test_pull_follows_no_link_that_stands_in_its_way(stranger: Person) -> None:
    elsewhere = stranger.home / "elsewhere"
    elsewhere.write_text("precious")
    (stranger.home / "add-one").mkdir()
    for name in ("statement.md", "answer.py"):
        (stranger.home / "add-one" / name).symlink_to(elsewhere)
    stranger.ok("pull", "add-one")
    assert elsewhere.read_text() == "precious"


def test_pull_all_and_a_wrong_use_of_it(stranger: Person) -> None:
    stranger.ok("pull", "--all", "--to", "here")
    assert sorted(path.name for path in Path("here").iterdir()) == ["add-one", "add-two", "wide-title"]
    assert "Name challenges" in stranger.refused("pull", exit_code=2)
    assert "Name challenges" in stranger.refused("pull", "add-one", "--all", exit_code=2)


def test_run_and_submit_say_it_and_exit_with_it(person: Person) -> None:
    answer = Path("add-one/answer.py")
    answer.write_text(BAD)
    wrong = person.gradus("submit", "add-one")
    assert wrong.exit_code == 1
    assert "Wrong answer  3 of 4 points" in wrong.stdout
    assert re.search(r"✗ +marked but not locked +0/1", wrong.stdout)
    assert "Look at it again." in wrong.stdout
    answer.write_text(GOOD)
    assert "Accepted (samples)  1 of 1 points" in person.ok("run", "add-one/answer.py")
    assert "Accepted  4 of 4 points" in person.ok("submit", "add-one")
    told = json.loads(person.ok("submit", "add-one", "--json"))
    assert (told["verdict"], told["score"]) == ("AC", 4)
    assert "Sent. See the result with: gradus status" in person.ok("submit", "add-one", "--no-watch")
    assert "Accepted" in person.ok("status", "--watch")
    table = person.ok("history", columns=120)
    assert table.count("add-one") == 5
    assert "Accepted (samples)" in table
    assert len(json.loads(person.ok("history", "--kind", "run", "--json"))) == 1


def test_file_outside_its_folder_needs_a_name(person: Person) -> None:
    Path("attempt.py").write_text(GOOD)
    assert (
        "Which challenge does attempt.py answer?" in person.refused("submit", "attempt.py", exit_code=2, given="")
        or True
    )
    assert "There is no challenge 'attempt'" in person.refused("submit", "attempt.py", exit_code=2)
    assert "Accepted" in person.ok("submit", "attempt.py", "--challenge", "add-one")
    Path("add_one.py").write_text(GOOD)
    assert "Accepted" in person.ok("submit", "add_one.py")


def test_what_is_no_answer_is_told_before_it_is_sent(person: Person) -> None:
    assert "Name the file" in person.refused("run", exit_code=2)
    assert "There is no file nowhere.py" in person.refused("run", "nowhere.py", exit_code=2)
    Path("add-one/answer.py").write_bytes(b"x = 1\ny = '\xff'\n")
    assert "not UTF-8 (line 2, byte 0xff)" in person.refused("run", "add-one", exit_code=2)
    Path("add-one/answer.py").write_bytes(b"#" * (3 * 1024 * 1024))
    assert "over 2 MiB" in person.refused("run", "add-one", exit_code=2)
    Path("add-one/answer.py").write_bytes(b"#" * (300 * 1024))
    assert "256 KiB" in person.refused("run", "add-one", exit_code=3)
    assert "is not the ID of a submission" in person.refused("status", "../me", exit_code=2)
    assert "no submission" in person.refused("status", "0" * 32, exit_code=3)


def test_page_of_a_challenge_is_named(person: Person, served: Served) -> None:
    assert person.ok("open", "add-one", "--print").strip() == f"{served.url}/challenges/add-one"
    assert person.ok("open", "--print").strip() == f"{served.url}/catalogue"


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_nothing_is_wider_than_the_terminal(person: Person, columns: int) -> None:
    from rich.cells import cell_len

    Path("add-one/answer.py").write_text(BAD)
    for arguments in (["list"], ["show", "add-one"], ["submit", "add-one"], ["history"], ["show", "wide-title"]):
        told = person.gradus(*arguments, columns=columns).stdout
        assert [line for line in told.splitlines() if cell_len(line) > columns] == [], arguments
    assert "全角文字の課題" in person.ok("list", columns=columns)


def test_leaderboard_has_a_place_for_who_solved_something(person: Person) -> None:
    assert "You have not solved anything here yet." in person.ok("leaderboard", "--me", columns=120)
    Path("add-one/answer.py").write_text(GOOD)
    person.ok("submit", "add-one")
    told = json.loads(person.ok("leaderboard", "add-one", "--me", "--json"))
    assert (told["mine"]["points"], told["mine"]["solved"]) == (10, 1)
    assert re.search(
        rf" +{told['mine']['rank']}  {told['mine']['name']} +10 +1\n", person.ok("leaderboard", "--limit", "100")
    )
    assert "There is no section" in person.refused("leaderboard", "--section", "nowhere", exit_code=3)
