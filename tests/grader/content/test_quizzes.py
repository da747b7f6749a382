"""Checks quizzes without a running service: typed answers are normalised and marked, and invalid quiz files are refused."""

import math
from pathlib import Path

import pytest

from grader.content.quizzes import quiz
from grader.content.quizzes.marking import Unreadable, mark, part_id
from grader.content.quizzes.predictions import agree, read, show
from grader.content.quizzes.quiz import Quiz
from grader.contract.errors import PackageError

CHOICE = """
[[question]]
id = "{id}"
kind = "choice"
prompt = "Which?"
explanation = "{explanation}"
[[question.option]]
text = "yes"
right = {right}
[[question.option]]
text = "no"
reason = "{reason}"
"""
VALUES = {"id": "a", "explanation": "Because", "right": "true", "reason": "It is not"}


@pytest.mark.parametrize(
    ("ask", "text", "meant"),
    [
        ("shape", "(2, 3)", [2, 3]),
        ("shape", "[2,3]", [2, 3]),
        ("shape", "torch.Size([2, 3])", [2, 3]),
        ("shape", "2 x 3", [2, 3]),
        ("shape", "5", [5]),
        ("shape", "(5,)", [5]),
        ("shape", "()", []),
        ("shape", "torch.Size([])", []),
        ("shape", "(0, 4)", [0, 4]),
        ("dtype", "torch.float32", "float32"),
        ("dtype", "Float", "float32"),
        ("dtype", "long", "int64"),
        ("error", "runtimeerror", "RuntimeError"),
        ("error", "no exception", "none"),
        ("value", "3", 3),
        ("value", "-0.5", -0.5),
        ("value", "tensor(2.5)", 2.5),
        ("value", "tensor(2.5, dtype=torch.float64)", 2.5),
        ("value", "[1, (2, 3)]", [1, [2, 3]]),
        ("value", "-inf", -math.inf),
        ("value", "True", True),
        ("value", "'relu'", "relu"),
        ("value", "None", None),
    ],
)
def test_one_answer_in_many_spellings(ask: str, text: str, meant: object) -> None:
    assert read(ask, text) == meant  # type: ignore[arg-type]
    assert read(ask, f"  {text} ") == meant  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        ("shape", ""),
        ("shape", "two"),
        ("shape", "(2, -1)"),
        ("shape", "(2, 3); import os"),
        ("dtype", "float33"),
        ("error", "Exception"),
        ("value", "__import__('os')"),
        ("value", "f(x)"),
        ("value", "1 +"),
        ("value", "-'a'"),
        ("value", "[" * 400),
        ("value", "9" * 501),
    ],
)
def test_what_cannot_be_read_says_what_to_write(ask: str, text: str) -> None:
    with pytest.raises(Unreadable, match=r"[A-Z].{10,}"):
        read(ask, text)  # type: ignore[arg-type]


def test_values_agree_within_a_thousandth_and_types_count() -> None:
    assert agree("value", 0.3333333, 0.3333)
    assert not agree("value", 0.3333333, 0.34)
    assert agree("value", math.nan, math.nan)
    assert agree("value", [1, 2.0], (1, 2))
    assert not agree("value", True, 1)
    assert not agree("value", [1, 2], [1, 2, 3])
    assert not agree("value", "1", 1)
    assert not agree("shape", [1], [1, 1])


@pytest.mark.parametrize("shape", [[], [5], [2, 3]])
def test_shown_shape_is_read_again(shape: list[int]) -> None:
    assert read("shape", show("shape", shape)) == shape


def written(folder: Path, text: str) -> Path:
    (folder / "quiz.toml").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Object missing required field `question`"),
        ("question = []", "at least one"),
        (CHOICE.format(**{**VALUES, "right": "false"}), "no option has right = true"),
        (CHOICE.format(**{**VALUES, "reason": ""}), "the wrong option 'no' needs a reason"),
        (CHOICE.format(**{**VALUES, "explanation": " "}), "explanation is empty"),
        (CHOICE.format(**VALUES) * 2, "two questions have the id 'a'"),
        (CHOICE.format(**VALUES).replace("prompt", "promt"), "promt"),
        (CHOICE.format(**VALUES).replace('"choice"', '"guess"'), "guess"),
        (CHOICE.format(**VALUES).replace('text = "no"', 'text = "yes"'), "says the same thing twice"),
        ('[[question]]\nid="a"\nkind="order"\nprompt="p"\nexplanation="e"\nsteps=["one"]', "has 1 steps"),
        ('[[question]]\nid="a"\nkind="predict"\ncode="x=1"\nask="value"\nexplanation="e"', "`of` is missing"),
        ('[[question]]\nid="a"\nkind="predict"\ncode="x=1"\nask="value"\nof="x"\nexplanation="e"', "question.slip"),
        ('[[question]]\nid="a"\nkind="numeric"\nprompt="p"\nexplanation="e"\nvalue=1\ntolerance=-1', "tolerance"),
    ],
)
def test_bad_quiz_is_refused_with_file_and_reason(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(PackageError) as refused:
        quiz.load(written(tmp_path, text))
    assert told in str(refused.value)
    assert "quiz.toml" in str(refused.value)


def test_quiz_without_predictions_needs_no_lock_and_none_is_no_quiz(tmp_path: Path) -> None:
    assert quiz.load(tmp_path) is None
    read_back = quiz.load(written(tmp_path, CHOICE.format(**VALUES)))
    assert read_back is not None
    assert (read_back.points, read_back.keys) == (1, {})


def test_lock_is_written_and_goes_stale_with_the_quiz(tmp_path: Path) -> None:
    text = (
        '[[question]]\nid="a"\nkind="predict"\ncode="x=1"\nask="value"\nof="x"\nexplanation="e"\n'
        '[[question.slip]]\nanswer="2"\nreason="No"\n'
    )
    with pytest.raises(PackageError, match="missing"):
        quiz.load(written(tmp_path, text))
    quiz.write_lock(tmp_path, "2.13.0", {"a": "1"})
    found = quiz.load(tmp_path)
    assert found is not None
    question = found.questions[0]
    assert mark(found, question, "1").right
    assert mark(found, question, "2").reasons == ("No",)
    written(tmp_path, text.replace("x=1", "x=2"))
    with pytest.raises(PackageError, match="not in step"):
        quiz.load(tmp_path)


def test_ids_of_parts_do_not_move_when_a_question_grows(tmp_path: Path) -> None:
    first = quiz.load(written(tmp_path, CHOICE.format(**VALUES)))
    assert isinstance(first, Quiz)
    assert mark(first, first.questions[0], [part_id("yes")]).right
    assert not mark(first, first.questions[0], [part_id("no")]).right
    assert part_id("yes") != part_id("no")
