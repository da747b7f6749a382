"""Checks `gradus challenge show-wrong`. For a wrong answer that is described by changes, it must print the complete file. Also
checks what the gate reports about wrong answers of this kind.
"""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.content.answers import headed
from grader.content.package import load
from grader.gate.claims import missing_parts
from grader.gate.cli import challenge
from tests.grader.content.test_wrong_answers import TABLE, WHOLE
from tests.grader.gate.conftest import write_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = write_folder(tmp_path / "kit" / "doubling", "")
    (made / "wrong.toml").write_text(TABLE)
    return made


def shown(folder: Path, *arguments: str) -> tuple[int, str]:
    root = str(folder.parent.parent)
    done = CliRunner().invoke(challenge, ["show-wrong", folder.name, *arguments, "--root", root])
    return done.exit_code, done.output


def test_one_is_printed_whole_and_may_stand_as_a_file(folder: Path) -> None:
    assert shown(folder, "forgets-the-shift") == (0, WHOLE)
    before = load(folder, locked=False).answers[-1]
    (folder / "wrong.toml").unlink()
    (folder / "submissions" / "wa").mkdir()
    (folder / "submissions" / "wa" / "forgets-the-shift.py").write_text(WHOLE)
    after = load(folder, locked=False).answers[-1]
    assert (after.source, after.caught_by, after.mistake) == (before.source, before.caught_by, before.mistake)
    assert shown(folder, "forgets-the-shift") == (0, WHOLE)


def test_the_difference_alone(folder: Path) -> None:
    code, text = shown(folder, "forgets-the-shift", "--diff")
    assert code == 0
    assert text.startswith("--- accepted/a-reference.py\n+++ wa/forgets-the-shift.py\n")
    assert [line for line in text.splitlines()[2:] if line[0] in "+-"] == ["-    return y + shift", "+    return y"]


def test_without_a_name_all_are_listed(folder: Path) -> None:
    code, text = shown(folder)
    assert code == 0
    assert [word for word in ("forgets", "WA", "test_shift", "left out") if word not in text] == []
    assert "a-reference" not in text


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("nothing",), "has no wrong answer 'nothing'; it has: forgets-the-shift"), (("a-reference",), "no wrong answer")],
)
def test_a_name_that_is_none_is_answered_with_those_there_are(
    folder: Path, arguments: tuple[str, ...], told: str
) -> None:
    code, text = shown(folder, *arguments)
    assert (code, told in text) == (1, True)


def test_changes_that_do_not_fit_are_told(folder: Path) -> None:
    (folder / "wrong.toml").write_text(TABLE.replace("return y + shift", "return z"))
    code, text = shown(folder, "forgets-the-shift")
    assert code == 1
    assert "wrong.toml: forgets-the-shift: the find of change 1 ('return z') does not occur" in text


def test_an_empty_replace_that_leaves_a_syntax_error_is_found_and_can_be_read(folder: Path) -> None:
    lines = '    if x.dim() == 0:\n        raise ValueError("needs a dimension")\n'
    broken = TABLE.replace("    return y + shift\n", lines.partition("\n")[0] + "\n").replace("    return y\n", "")
    (folder / "wrong.toml").write_text(broken)
    (found,) = [each for each in missing_parts(load(folder, locked=False)) if "syntax" in each.text]
    assert found.where == "wrong.toml: forgets-the-shift"
    assert re.search(
        r"its changes leave a syntax error: .+ in line 9 of `gradus challenge show-wrong doubling forgets-the-shift`",
        found.text,
    )
    assert shown(folder, "forgets-the-shift")[0] == 0
    (folder / "wrong.toml").write_text(broken.replace('"wa"', '"ce"').replace('caught_by = "test_shift"\n', ""))
    assert [each for each in missing_parts(load(folder, locked=False)) if "syntax" in each.text] == []


def test_code_without_imports_stands_two_lines_below_its_mistake() -> None:
    assert headed("", "Nothing.", "def f(): ...\n") == '"""Nothing."""\n\n\ndef f(): ...\n'
