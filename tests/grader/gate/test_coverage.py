"""Checks the ids in `covers` of challenges and topics against the syllabus: the gate refuses ids that the syllabus does not
contain, and `gradus challenge coverage` counts the questions that are covered.
"""

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.content.authoring.covers import unknown_covers
from grader.gate.cli import challenge
from grader.gate.coverage import coverage

CHALLENGES = Path(__file__).parents[3] / "challenges"
SYLLABUS = """
errata_elsewhere = ["E99"]
[[topic]]
id = "broadcasting-rules"
section = "tensors"
questions = ["000:7", "004:2"]
prompts = ["004:2a", "004:2b"]
corrects = ["E28"]
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    """A copy of one challenge and one topic of the real catalogue, with a syllabus of two questions and two prompts."""
    root = tmp_path / "challenges"
    for folder in ("tensors/broadcast-shape", "topics/tensors/broadcasting-rules"):
        shutil.copytree(CHALLENGES / folder, root / folder)
    (root / "syllabus.toml").write_text(SYLLABUS)
    _declare(root / "tensors/broadcast-shape/challenge.toml", ["000:7"])
    quiz = root / "topics/tensors/broadcasting-rules/quiz.toml"
    text = "\n".join(line for line in quiz.read_text().splitlines() if not line.startswith("covers = "))
    quiz.write_text(text.replace("[[question]]\n", '[[question]]\ncovers = ["004:2b"]\n', 1))
    return root


def _declare(path: Path, covers: list[str]) -> None:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("covers = ")]
    path.write_text("\n".join([f"covers = {covers}", *lines]).replace("'", '"', 2 * len(covers)))


def test_questions_that_no_item_covers_are_missing(catalogue: Path) -> None:
    found = coverage(catalogue)
    assert found.items["000:7"] == ["broadcast-shape"]
    assert [item.partition(":")[0] for item in found.items["004:2b"]] == ["broadcasting-rules"]
    assert found.missing(found.syllabus.questions) == ["004:2"]
    assert found.missing(found.syllabus.prompts) == ["004:2a"]
    assert [row[1:] for row in found.totals() if row[0] == "errata"] == [(2, 1, "E99")]
    assert found.untracked == ["broadcasting-rules"]


def test_command_fails_while_something_is_missing(catalogue: Path) -> None:
    told = CliRunner().invoke(challenge, ["coverage", "--items", "--root", str(catalogue)])
    assert told.exit_code == 1, told.output
    assert "1 of 1" in told.output
    assert "broadcast-shape" in told.output


def test_gate_refuses_an_unknown_question(catalogue: Path) -> None:
    folder = catalogue / "tensors/broadcast-shape"
    assert unknown_covers(folder, ["000:7", "004:2b"]) == []
    assert ["'000:8'" in finding.text for finding in unknown_covers(folder, ["000:7", "000:8"])] == [True]


def test_covers_of_a_teams_own_challenge_are_not_checked(tmp_path: Path) -> None:
    """A team can copy a challenge of the catalogue with its `covers`. No folder above the copy contains a syllabus, so the gate
    must accept these ids unchecked.
    """
    assert unknown_covers(tmp_path / "a/b", ["000:7"]) == []


def test_every_item_of_ours_names_known_questions() -> None:
    found = coverage(CHALLENGES)
    assert set(found.items) <= found.syllabus.questions | found.syllabus.prompts
    assert (len(found.syllabus.questions), len(found.syllabus.prompts), len(found.syllabus.errata)) == (209, 96, 72)
