"""Tests the map of the heavy suites: what makes a proof stale, and that the map covers every file of the product."""

from pathlib import Path

import pytest

from tests.heavy import __main__ as heavy
from tests.heavy import proof, suites
from tests.heavy.suites import Map, Suite, covered

SMALL = Map(
    light=["docs/", "README.md"],
    suites={"one": Suite("one", [], ["a/", "b/*"]), "two": Suite("two", [], ["c.py"])},
)


def test_a_path_means_a_folder_its_files_or_one_file() -> None:
    assert covered("a/b/c.py", ["a/"])
    assert covered("b/c.py", ["b/*"])
    assert not covered("b/d/c.py", ["b/*"])
    assert covered("c.py", ["c.py"])
    assert not covered("c.pyi", ["c.py"])
    assert not covered("ab/c.py", ["a/"])


def test_a_file_that_no_line_covers_counts_for_every_suite() -> None:
    files = ["README.md", "a/x.py", "b/y.py", "b/deep/z.py", "c.py", "docs/page.md", "new/room.py"]
    assert SMALL.files_of("one", files) == ["a/x.py", "b/y.py", "b/deep/z.py", "new/room.py"]
    assert SMALL.files_of("two", files) == ["b/deep/z.py", "c.py", "new/room.py"]


def test_digest_changes_with_the_definition_of_the_suite(tmp_path: Path) -> None:
    other = Map(light=SMALL.light, suites={**SMALL.suites, "one": Suite("one", ["-x"], ["a/", "b/*"])})
    assert SMALL.digest("one", []) != other.digest("one", [])
    assert SMALL.digest("two", []) == other.digest("two", [])


def test_digest_changes_with_name_and_content(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    first = suites.digest(["a"], tmp_path)
    (tmp_path / "a").write_text("two")
    assert suites.digest(["a"], tmp_path) != first
    (tmp_path / "b").write_text("one")
    assert suites.digest(["b"], tmp_path) != first


def test_every_line_of_the_map_covers_a_file() -> None:
    known, files = suites.load(), suites.tracked()
    lines = [*known.light, *(path for suite in known.suites.values() for path in suite.paths)]
    assert [line for line in lines if not any(covered(file, [line]) for file in files)] == []


def test_every_file_that_a_suite_runs_is_there() -> None:
    for suite in suites.load().suites.values():
        assert all((suites.ROOT / name).exists() for name in suite.pytest if name.startswith("tests/"))


@pytest.mark.parametrize("name", suites.load().suites)
def test_a_committed_proof_can_be_read_and_says_how_many_passed(name: str) -> None:
    if not proof.path(name).exists():
        return
    found = proof.load(name)
    assert found is not None, f"{proof.path(name)} cannot be read: run python -m tests.heavy run {name}"
    assert found.suite == name
    assert found.passed > 0


def test_a_proof_with_another_digest_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "HERE", tmp_path)
    known, files = suites.load(), suites.tracked()
    name = next(iter(known.suites))
    right = known.digest(name, files)
    assert not heavy.fits(known, name, files)
    proof.save(proof.Proof(name, right, 1, 1.0, "", ""))
    assert heavy.fits(known, name, files)
    proof.save(proof.Proof(name, "0" * 64, 1, 1.0, "", ""))
    assert not heavy.fits(known, name, files)
    proof.path(name).write_text("{not json")
    assert not heavy.fits(known, name, files)


def test_outcomes_of_a_report(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="t" name="a"/><testcase classname="t" name="b"><failure/></testcase>'
        '<testcase classname="t" name="c"><error/></testcase><testcase classname="t" name="d"><skipped/></testcase>'
        "</testsuite></testsuites>"
    )
    assert heavy.outcomes(report) == (1, ["t::b", "t::c"])
    assert heavy.outcomes(tmp_path / "none.xml") == (0, [])


def test_every_file_of_the_product_is_in_the_map() -> None:
    """The map must cover every file of the product. A folder that it does not name, for example after a rename, would make
    every suite stale at each change.
    """
    every = [*suites.load().light, *(path for suite in suites.load().suites.values() for path in suite.paths)]
    product = [file for file in suites.tracked() if file.startswith(("api/", "grader/", "frontend/"))]
    assert [file for file in product if not covered(file, every)] == []
