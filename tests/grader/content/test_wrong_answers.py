"""Checks wrong answers that wrong.toml describes as changes to an accepted answer: they expand to complete files, and changes
that do not fit are refused with one sentence.
"""

from pathlib import Path

import pytest

from grader.content import package
from grader.content.answers import answers
from grader.content.authoring import author_files
from grader.contract.errors import PackageError
from grader.contract.job import Verdict
from grader.gate.trials.cache import Cache
from tests.grader.gate.conftest import write_folder

OTHER = '''"""Twice x, by a product."""

import torch


def double(x, shift=0.0):
    y = 2 * x
    return y + shift
'''
TABLE = '''
[[wrong]]
name = "forgets-the-shift"
verdict = "wa"
caught_by = "test_shift"
mistake = "The shift is left out."

[[wrong.changes]]
find = """
    return y + shift
"""
replace = """
    return y
"""
'''
WHOLE = '''# caught by: test_shift
"""The shift is left out."""

import torch


def double(x, shift=0.0):
    if x.dim() == 0:
        raise ValueError("needs a dimension")
    y = x + x
    return y
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = write_folder(tmp_path / "kit" / "doubling", "")
    (made / "submissions/accepted/b-product.py").write_text(OTHER)
    return made


def as_changes(folder: Path, *tables: str) -> None:
    (folder / "wrong.toml").write_text("\n".join(tables))


def as_file(folder: Path, text: str = WHOLE, name: str = "wa/forgets-the-shift.py") -> Path:
    path = folder / "submissions" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def complaint(folder: Path) -> str:
    with pytest.raises(PackageError) as caught:
        answers(folder)
    return str(caught.value)


def test_changes_expand_to_the_very_file_they_stand_for(folder: Path) -> None:
    path = as_file(folder)
    from_file = answers(folder)[-1]
    path.unlink()
    as_changes(folder, TABLE)
    wrong = answers(folder)[-1]
    assert wrong.source == WHOLE == from_file.source
    assert (wrong.name, wrong.verdict, wrong.caught_by) == (from_file.name, from_file.verdict, from_file.caught_by)
    assert (wrong.mistake, from_file.mistake) == ("The shift is left out.",) * 2
    assert (wrong.place, from_file.place) == ("wrong.toml: forgets-the-shift", "forgets-the-shift.py")


def test_both_forms_are_read_together_in_one_order(folder: Path) -> None:
    as_changes(folder, TABLE)
    as_file(folder, "# caught by: test_a\nraise ValueError\n", "re/always.py")
    as_file(folder, "# caught by: test_a\ndef double(x): return x\n", "wa/z.py")
    as_file(folder, "def double(x:\n", "ce/open.py")
    expected = ["a-reference.py", "b-product.py", "open.py", "always.py", "forgets-the-shift.py", "z.py"]
    assert [answer.name for answer in package.load(folder, locked=False).answers] == expected


def test_of_names_the_accepted_answer_that_is_changed(folder: Path) -> None:
    as_changes(folder, TABLE.replace("mistake", 'of = "b-product"\nmistake'))
    assert "y = 2 * x\n    return y\n" in answers(folder)[-1].source


def test_all_changes_are_looked_up_in_the_accepted_answer_itself(folder: Path) -> None:
    more = '[[wrong.changes]]\nfind = "x + x"\nreplace = "y + shift"\n[[wrong.changes]]\nfind = "import torch\\n"\nreplace = ""\n'
    as_changes(folder, TABLE, more)
    assert answers(folder)[-1].code.endswith("    y = y + shift\n    return y\n")
    assert "import torch" not in answers(folder)[-1].code


def test_whole_lines_fit_only_where_a_line_begins(folder: Path) -> None:
    (folder / "submissions/accepted/a-reference.py").write_text("def double(x, shift=0.0):\n    y = x\n    yy = x\n")
    as_changes(folder, TABLE.replace("    return y + shift\n", "y = x\n"))
    assert "does not occur" in complaint(folder)
    as_changes(folder, TABLE.replace("    return y + shift\n", "    y = x\n"))
    assert answers(folder)[-1].code == "def double(x, shift=0.0):\n    return y\n    yy = x\n"


BAD = {
    "unknown key": (TABLE.replace("mistake", 'why = ""\nmistake'), ("forgets-the-shift", "unknown field `why`")),
    "unknown key of a change": (TABLE + 'where = ""\n', ("forgets-the-shift", "unknown field `where`")),
    "not TOML": ("[[wrong]\n", ("wrong.toml",)),
    "wrong type": ("wrong = 3\n", ("wrong.toml",)),
    "no mistake": (TABLE.replace('mistake = "The shift is left out."', ""), ("forgets-the-shift", "`mistake`")),
    "empty mistake": (TABLE.replace("The shift is left out.", " "), ("forgets-the-shift", "one sentence")),
    "mistake of two lines": (TABLE.replace("left out.", "left\\nout."), ("forgets-the-shift", "one sentence")),
    "mistake that ends its docstring": (TABLE.replace("left out.", 'out of \\"it\\"'), ("docstring",)),
    "no test": (TABLE.replace('caught_by = "test_shift"', ""), ("forgets-the-shift", "caught_by is missing")),
    "test of a ce": (TABLE.replace('"wa"', '"ce"'), ("forgets-the-shift", "remove caught_by")),
    "unknown verdict": (TABLE.replace('"wa"', '"ac"'), ("forgets-the-shift", "wa, re, tle")),
    "name that is no name": (TABLE.replace("forgets-the-shift", "../up"), ("../up", "lower-case")),
    "unknown origin": (
        TABLE.replace("mistake", 'of = "c"\nmistake'),
        ("forgets-the-shift", "no accepted answer 'c'", "a-reference, b-product"),
    ),
    "no change": (TABLE.partition("[[wrong.changes]]")[0] + "changes = []", ("forgets-the-shift", "[[wrong.changes]]")),
    "find never": (TABLE.replace("return y + shift", "return z"), ("'return z'", "does not occur", "a-reference.py")),
    "find twice": (TABLE + '[[wrong.changes]]\nfind = "shift"\nreplace = "s"\n', ("change 2", "more than once")),
    "find in the docstring": (TABLE + '[[wrong.changes]]\nfind = "Twice"\nreplace = ""\n', ("change 2", "does not occur")),
    "empty find": (TABLE + '[[wrong.changes]]\nfind = " "\nreplace = "s"\n', ("change 2", "is empty")),
    "lines that would be joined": (TABLE.replace("    return y\n", "    return y\\\n"), ("line break",)),
    "overlap": (TABLE + '[[wrong.changes]]\nfind = "y + shift"\nreplace = "s"\n', ("changes 1 and 2 overlap",)),
    "equal to its origin": (TABLE.replace("return y\n", "return y + shift\n"), ("leave a-reference.py as it is",)),
    "name twice": (TABLE + TABLE.replace("return y\n", "return x\n"), ("forgets-the-shift", "another table", "same name")),
    "same code twice": (TABLE + TABLE.replace("forgets-the-shift", "other"), ("other", "same code as", "forgets-the-shift")),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_sentence_with_file_and_table(folder: Path, case: str) -> None:
    text, words = BAD[case]
    as_changes(folder, text)
    told = complaint(folder)
    assert "wrong.toml: " in told
    assert "\n" not in told
    assert [word for word in words if word not in told] == [], told


def test_bytes_that_are_no_text_are_refused(folder: Path) -> None:
    (folder / "wrong.toml").write_bytes(b"\xff")
    assert "wrong.toml: not UTF-8 at byte 0" in complaint(folder)


def test_a_change_and_a_file_cannot_share_a_name_or_code(folder: Path) -> None:
    as_changes(folder, TABLE)
    path = as_file(folder, "# caught by: test_a\ndef double(x): return x\n", "re/forgets-the-shift.py")
    assert "a file in submissions/re has the same name" in complaint(folder)
    path.unlink()
    as_file(folder, name="wa/other.py")
    assert "same code as other.py" in complaint(folder)


def test_wrong_answers_are_in_no_version_of_a_package(folder: Path) -> None:
    before = package.digest(folder)
    as_changes(folder, TABLE)
    assert package.digest(folder) == before


def test_a_proof_outlives_a_change_of_form_and_no_change_of_meaning(folder: Path) -> None:
    cache = Cache()
    path = as_file(folder)
    before = cache.key(folder, "challenge")
    path.unlink()
    assert cache.key(folder, "challenge") != before
    as_changes(folder, TABLE)
    assert cache.key(folder, "challenge") == before
    as_changes(folder, TABLE.replace("is left out", "is not added"))
    assert cache.key(folder, "challenge") == before
    for old, new in (
        ("test_shift", "test_a"),
        ('"wa"', '"re"'),
        ("-the-shift", ""),
        ("    return y\n", "    return x\n"),
    ):
        as_changes(folder, TABLE.replace(old, new))
        assert cache.key(folder, "challenge") != before, new
    as_changes(folder, "[[wrong")
    assert cache.key(folder, "challenge") != before


def test_a_team_may_write_changes_and_is_told_what_does_not_fit() -> None:
    files = author_files.scaffold("small", "function", "write")
    assert "wrong.toml" in files
    assert author_files.upload_complaints(files) == []
    found = author_files.check_files("small", files).package
    assert found is not None
    assert [answer.verdict for answer in found.answers] == [Verdict.AC, Verdict.WA]
    files["wrong.toml"] = files["wrong.toml"].replace("raise NotImplementedError", "raise TypeError")
    (told,) = [each for each in author_files.check_files("small", files).complaints if "to write" not in each.text]
    assert told.where == "wrong.toml"
    assert "returns-nothing: the find of change 1 ('raise TypeError') does not occur" in told.text


def test_a_small_file_cannot_expand_to_a_large_one(folder: Path) -> None:
    as_changes(folder, *(TABLE.replace("forgets", f"n{number}") for number in range(201)))
    assert "has 201 wrong answers, at most 200 are read" in complaint(folder)
