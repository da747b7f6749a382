"""Tests the descriptions of wrong answers, which the site lists as mistakes below the editorial of a challenge."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from grader.content.package import find, load
from grader.contract.job import Verdict

FOLDERS = find(Path(__file__).resolve().parents[2] / "challenges")


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_each_wrong_answer_has_its_own_description(folder: Path) -> None:
    answers = load(folder, locked=False).answers
    mistakes = Counter(each.mistake for each in answers if each.verdict is not Verdict.AC and each.mistake)
    accepted = {ast.get_docstring(ast.parse(each.source)) for each in answers if each.verdict is Verdict.AC}
    assert [mistake for mistake, many in mistakes.items() if many > 1 or mistake in accepted] == []
