"""Checks `gradus challenge new`: the files that it writes pass the schema, and every line that the author still has to write is
listed.
"""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.content import topic
from grader.content.authoring import scaffold
from grader.content.authoring.gate_toml import load_gate_toml
from grader.content.package import load
from grader.contract.errors import PackageError
from grader.gate.cli import challenge


@pytest.mark.parametrize("kind", scaffold.STARTERS)
@pytest.mark.parametrize("form", ["write", "fix"])
def test_new_challenge_passes_the_schema_and_is_all_pencil(tmp_path: Path, kind: str, form: str) -> None:
    folder = scaffold.new_challenge(tmp_path, "layers", "group-norm", kind=kind, form=form)
    package = load(folder, locked=False)
    assert len(load_gate_toml(folder).promise) == 1
    assert (package.info.entry[0].kind, package.info.form) == (kind, form)
    for path in folder.rglob("*.py"):
        compile(path.read_text(), str(path), "exec")
    named = {finding.where.partition(":")[0] for finding in scaffold.unwritten_lines(folder)}
    assert named == {
        "challenge.toml",
        "gate.toml",
        "statement.md",
        "starter.py",
        "tests.py",
        "editorial.md",
        "submissions/accepted/a-reference.py",
        "wrong.toml",
    }


def test_new_topic_passes_the_schema(tmp_path: Path) -> None:
    folder = scaffold.new_topic(tmp_path, "layers", "group-norms")
    read = topic.load(folder, locked=False)
    assert read.quiz is not None
    assert len(list(scaffold.unwritten_lines(folder))) > 15


def test_written_folder_has_nothing_left_to_write() -> None:
    for path in Path("challenges").glob("*/*/challenge.toml"):
        assert list(scaffold.unwritten_lines(path.parent)) == []


@pytest.mark.parametrize("name", ["Group_Norm", "", "a/b", "..", "é"])
def test_name_that_is_no_slug_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(PackageError, match="cannot be a name"):
        scaffold.new_challenge(tmp_path, "layers", name, kind="function", form="write")
    assert list(tmp_path.iterdir()) == []


def test_taken_name_is_refused_in_any_section_and_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = scaffold.new_challenge(tmp_path, "layers", "group-norm", kind="module", form="write")
    (folder / "statement.md").write_text("mine")
    for section in ("layers", "losses"):
        with pytest.raises(PackageError, match="is there already"):
            scaffold.new_challenge(tmp_path, section, "group-norm", kind="module", form="write")
    assert (folder / "statement.md").read_text() == "mine"


def test_command_says_what_to_do_next(tmp_path: Path) -> None:
    runner = CliRunner()
    done = runner.invoke(challenge, ["new", "layers/group-norm", "--root", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "things to write" in done.output
    assert "gradus challenge check group-norm" in done.output
    refused = runner.invoke(challenge, ["new", "group-norm", "--root", str(tmp_path)])
    assert refused.exit_code == 1
    assert "cannot be a name" in refused.output
    assert runner.invoke(challenge, ["new", "layers/norms", "--topic", "--root", str(tmp_path)]).exit_code == 0
