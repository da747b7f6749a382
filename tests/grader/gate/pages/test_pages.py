"""Checks topic pages with real cells. The gate must compute the outputs of examples and the keys of quiz questions, report
outputs and keys that are stale or wrong, and survive hostile snippets.
"""

import shutil
from pathlib import Path

import pytest

from grader.content.authoring.finding import Finding
from grader.content.quizzes import quiz
from grader.contract.errors import PackageError
from grader.gate.examine_statement import examine_statement
from grader.gate.pages.check import check_topic, write_topic
from grader.gate.pages.snippets import PREAMBLE, Snippet, bare_package, run
from grader.gate.report.record import Record
from grader.judging.workbench import Workbench

pytestmark = pytest.mark.docker
CHALLENGES = Path(__file__).parents[4] / "challenges"
TOPIC = """title = "Sums"
section = "tensors"
difficulty = "easy"
purpose = "p"
why = "w"
skill = "s"
answer = "a"
phrasings = ["one", "two"]
review = ["one", "two"]
[[pitfall]]
title = "Shapes"
wrong = "torch.ones(3) + torch.ones(2)"
raises = "RuntimeError"
right = "torch.ones(3) + torch.ones(1)"
why = "y"
[[pitfall]]
title = "Nothing"
wrong = "x = 1"
right = "x = 2"
why = "y"
[[card]]
front = "f"
back = "b"
[[card]]
front = "g"
back = "c"
"""
PAGE = """Sums.

```python
x = torch.arange(4)
print(x.sum())
```
```output
```

```python raises=IndexError
print(x[0])
x[9]
```
```output
```
"""
PREDICT = """[[question]]
id = "{id}"
kind = "predict"
code = '''{code}'''
ask = "{ask}"
{of}
explanation = "e"
[[question.slip]]
answer = "{slip}"
reason = "r"
"""
SIMULATED = """[[question]]
id = "mean"
kind = "numeric"
prompt = "p"
explanation = "e"
value = 0.5
tolerance = 0.1
simulation = "value = torch.rand(1000).mean()"
"""
QUIZ = "\n".join(
    [
        SIMULATED,
        PREDICT.format(id="shape", code="y = torch.ones(2, 3).sum(0)", ask="shape", of='of = "y"', slip="(2,)"),
        PREDICT.format(id="dtype", code="y = torch.arange(3) / 2", ask="dtype", of='of = "y"', slip="int64"),
        PREDICT.format(id="value", code="y = [1, float('nan')]", ask="value", of='of = "y"', slip="[1, 2]"),
        PREDICT.format(
            id="drawn", code="y = torch.randn(3) < 99", ask="value", of='of = "y.all().item()"', slip="False"
        ),
        PREDICT.format(id="error", code="torch.ones(2) + torch.ones(3)", ask="error", of="", slip="none"),
    ]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a topic. The outputs of its examples and the keys of its quiz have not been computed yet."""
    folder = tmp_path / "topics" / "tensors" / "sums"
    folder.mkdir(parents=True)
    for name, text in (("topic.toml", TOPIC), ("page.md", PAGE), ("quiz.toml", QUIZ)):
        (folder / name).write_text(text)
    return folder


def changed(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))


def test_outputs_and_keys_are_computed_and_then_hold(docker_bench: Workbench, folder: Path) -> None:
    assert write_topic(docker_bench, folder) == []
    page = (folder / "page.md").read_text()
    assert "```output\ntensor(6)\n```" in page
    assert "```output\ntensor(0)\nIndexError: index 9 is out of bounds" in page
    read = quiz.load(folder)
    assert read is not None
    assert read.keys == {
        "shape": "(3,)",
        "dtype": "torch.float32",
        "value": "[1, nan]",
        "drawn": "True",
        "error": "RuntimeError",
    }
    assert check_topic(docker_bench, folder) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("page.md", "tensor(6)", "tensor(7)", "stale"),
        ("page.md", "raises=IndexError", "raises=KeyError", "should raise KeyError"),
        ("page.md", "x = torch.arange(4)", "x = torch.aranje(4)", "should raise nothing"),
        ("topic.toml", 'raises = "RuntimeError"', "", "should raise nothing"),
        ("topic.toml", 'wrong = "x = 1"\n', 'wrong = "x = 1"\nraises = "ValueError"\n', "it raises nothing"),
        ("topic.toml", 'right = "x = 2"', 'right = "x = y"', "`right` raises NameError"),
        ("quiz.lock", "(3,)", "(4,)", "the snippet gives '(3,)'"),
    ],
    ids=["output", "exception", "typo", "pitfall-raises", "pitfall-does-not", "right-raises", "key"],
)
def test_what_is_no_longer_true_is_found(
    docker_bench: Workbench, folder: Path, name: str, old: str, new: str, told: str
) -> None:
    write_topic(docker_bench, folder)
    changed(folder, name, old, new)
    found = check_topic(docker_bench, folder)
    assert any(told in finding.text for finding in found), found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("value = 0.5", "value = 0.7", "seed 0 of the simulation gives 0."),
        ("rand(1000)", "rand(7)", "of the simulation gives 0."),
        ("torch.rand(", "torch.rant(", "the simulation raises AttributeError"),
    ],
    ids=["never", "on-some-seeds", "raises"],
)
def test_number_that_the_simulation_does_not_give_is_found(
    docker_bench: Workbench, folder: Path, old: str, new: str, told: str
) -> None:
    changed(folder, "quiz.toml", old, new)
    write_topic(docker_bench, folder)
    found = check_topic(docker_bench, folder)
    assert any(told in finding.text for finding in found), found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('answer = "(2,)"', 'answer = "(3,)"', "is the right answer"),
        ('answer = "(2,)"', 'answer = "two"', "cannot be read"),
        ("y = torch.ones(2, 3).sum(0)", "y = torch.ones(2, 3).sum(7)", "the code raises IndexError"),
        ("[1, float('nan')]", "object()", "nobody could type"),
        ("[1, float('nan')]", "int(torch.rand(()) < 0.7)", "the code draws random numbers: on seed "),
    ],
)
def test_question_that_cannot_be_answered_is_found_and_no_lock_is_written(
    docker_bench: Workbench, folder: Path, old: str, new: str, told: str
) -> None:
    changed(folder, "quiz.toml", old, new)
    found = write_topic(docker_bench, folder)
    assert any(told in finding.text for finding in found), found
    assert not (folder / "quiz.lock").exists()


@pytest.mark.parametrize("code", ["import os; os._exit(3)", "while True: pass"])
def test_snippet_that_does_not_come_back_is_a_finding(docker_bench: Workbench, folder: Path, code: str) -> None:
    with pytest.raises(PackageError, match="did not run to the end"):
        run(docker_bench, bare_package("wild"), PREAMBLE, [Snippet(code)], folder)
    assert run(docker_bench, bare_package("calm"), PREAMBLE, [Snippet("print(1)")], folder)[0].output == "1\n"


def test_snippet_keeps_nothing_for_the_next_one(docker_bench: Workbench, folder: Path) -> None:
    """Each takes a third of the memory that a cell has, and its function refers to its namespace."""
    large = Snippet("rows = torch.ones(90_000_000)\ndef first():\n    return rows[0]\nprint(len(rows))")
    found = run(docker_bench, bare_package("large"), PREAMBLE, [large] * 4, folder)
    assert [each.output for each in found] == ["90000000\n"] * 4


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("", "", ""),
        ("```output\n", "```output\nanother line\n", "the output below the example is stale"),
        ("\n## ", "\nThe result must be even.\n\n## ", "no test is named for 'The result must be even.'"),
    ],
)
def test_texts_are_checked_without_judging_an_answer(
    docker_bench: Workbench, tmp_path: Path, old: str, new: str, finding: str
) -> None:
    original = next(CHALLENGES.glob("*/stable-softmax"))
    folder = shutil.copytree(original, tmp_path / original.parent.name / original.name)
    statement = folder / "statement.md"
    statement.write_text(statement.read_text().replace(old, new, 1))
    earlier = Record("stable-softmax", tests=7, findings=(Finding("statement.md", "of an earlier run"),))
    record = examine_statement(docker_bench, folder, earlier)
    assert [each.text.partition(";")[0].partition(":")[0] for each in record.findings] == ([finding] if finding else [])
    assert (record.tests, record.judgings) == (7, 0)
