"""Tests submissions of a candidate through the HTTP API, against the real stack."""

import json
from pathlib import Path

import pytest

from tests.live import Candidate
from tests.wrong_answers import wrong_answer

pytestmark = pytest.mark.docker
SLUG = "scaled-dot-product-attention"


def source(answers: Path, name: str) -> str:
    folder, _, file = name.partition("/")
    return (answers / name).read_text() if folder == "accepted" else wrong_answer(SLUG, file.removesuffix(".py"))


def test_right_answer_is_accepted_and_told_test_by_test(candidate: Candidate, answers: Path) -> None:
    identifier = candidate.submit(SLUG, source(answers, "accepted/a-reference.py"))
    story = list(candidate.events(identifier))
    names = [name for name, _ in story]
    assert names[0] == "queued"
    assert names[-1] == "judged"
    found = candidate.get(identifier)
    assert found["verdict"] == "AC"
    assert found["score"] == found["max_score"] > 0
    assert names.count("test") == len(found["tests"]) >= 12
    assert all(test["verdict"] == "AC" for test in found["tests"])


def test_run_judges_the_samples_only_and_shows_pictures(candidate: Candidate, answers: Path) -> None:
    found = candidate.judged(candidate.submit(SLUG, source(answers, "wa/no-scale.py"), kind="run"))
    assert found["verdict"] == "WA"
    assert 3 <= len(found["tests"]) <= 4
    assert all(test["sample"] for test in found["tests"])
    assert any(test["exhibits"] for test in found["tests"])


def test_hidden_tests_tell_a_sentence_and_nothing_else(candidate: Candidate, answers: Path) -> None:
    loud = source(answers, "wa/no-scale.py").replace(
        "def attention(q, k, v, mask=None):", "def attention(q, k, v, mask=None):\n    print('SECRET', q)", 1
    )
    found = candidate.judged(candidate.submit(SLUG, loud))
    hidden = [test for test in found["tests"] if not test["sample"]]
    failed = [test for test in hidden if test["verdict"] == "WA"]
    assert failed
    assert any("SECRET" in test["stdout"] for test in found["tests"] if test["sample"])
    for test in hidden:
        assert test["stdout"] == ""
        assert test["exhibits"] == []
        for word in ("SECRET", "tensor(", "assert ", "Traceback", "tests.py"):
            assert word not in test["message"]


def test_exception_text_of_a_hidden_test_is_not_shown(candidate: Candidate) -> None:
    leak = "def attention(q, k, v, mask=None):\n    raise ValueError(f'LEAK {q.tolist()}')\n"
    found = candidate.judged(candidate.submit(SLUG, leak))
    assert found["verdict"] == "RE"
    for test in found["tests"]:
        assert test["line"] == 2
        assert ("LEAK" in test["message"]) == test["sample"]


def test_starter_is_not_accepted(candidate: Candidate) -> None:
    challenge = candidate.http.get(f"/api/challenges/{SLUG}").json()
    found = candidate.judged(candidate.submit(SLUG, challenge["starter"]))
    assert found["verdict"] == "RE"


def test_a_syntax_error_has_its_line_and_caret(candidate: Candidate) -> None:
    found = candidate.judged(candidate.submit(SLUG, "def attention(q, k, v, mask=None)\n    return v\n"))
    assert found["verdict"] == "CE"
    assert found["compile_error"]["line"] == 1
    assert found["compile_error"]["column"] == 34
    assert "expected ':'" in found["compile_error"]["message"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def attend(q, k, v, mask=None):\n    return v\n", "`attention` is missing: define a function"),
        ("class attention:\n    pass\n", "must be a function, found the class attention"),
        ("attention = 3\n", "must be a function, found an object of type int"),
        ("def attention(a, b):\n    return a\n", "the signature is `attention(a, b)`, expected `attention(q, k, v"),
    ],
)
def test_a_wrong_entry_point_is_told_with_what_was_expected(candidate: Candidate, text: str, told: str) -> None:
    found = candidate.judged(candidate.submit(SLUG, text))
    assert found["verdict"] == "CE"
    assert told in found["message"]


def test_what_the_statement_forbids_is_named_with_its_line(candidate: Candidate, answers: Path) -> None:
    found = candidate.judged(candidate.submit(SLUG, source(answers, "rv/built-in.py")))
    assert found["verdict"] == "RV"
    assert "scaled_dot_product_attention" in found["message"]
    assert found["compile_error"]["line"] > 0


def test_scratch_shows_what_the_snippet_prints(candidate: Candidate, answers: Path) -> None:
    snippet = "q = torch.zeros(1, 2, 4)\nprint('shape', attention(q, q, q).shape)\n1 + 1\n"
    text = "import torch\n" + source(answers, "accepted/a-reference.py")
    found = candidate.judged(candidate.scratch(SLUG, text, snippet))
    assert found["verdict"] is None
    assert found["output"] == "shape torch.Size([1, 2, 4])\n2\n"
    broken = candidate.judged(candidate.scratch(SLUG, text, "1 / 0"))
    assert broken["verdict"] == "RE"
    assert "ZeroDivisionError" in broken["message"]


def test_nothing_secret_is_served(candidate: Candidate) -> None:
    challenge = candidate.http.get(f"/api/challenges/{SLUG}")
    folder = Path(__file__).resolve().parents[2] / "challenges" / "architectures" / SLUG
    lock = json.loads((folder / "tests.lock").read_text())
    hidden = next(test["id"] for test in lock["tests"] if not test["sample"]).partition("[")[0]
    assert f"def {hidden}(" not in challenge.text
    assert (folder / "editorial.md").read_text().splitlines()[-1] not in challenge.text


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"source": "x" * (256 * 1024 + 1)}, 413, "256"),
        ({"source": "def f():\n  a\0b"}, 422, "line 2, column 4"),
        ({"slug": "no-such-challenge"}, 404, "no-such-challenge"),
        ({"kind": "grade"}, 422, "kind"),
    ],
)
def test_bad_input_is_refused_with_a_sentence(
    candidate: Candidate, body: dict[str, str], status: int, word: str
) -> None:
    request = {"slug": SLUG, "source": "pass", "kind": "submit", **body}
    answer = candidate.http.post("/api/submissions", json=request)
    assert answer.status_code == status
    assert word in answer.text


def test_invalid_utf8_is_refused_with_the_place(candidate: Candidate) -> None:
    raw = b'{"slug": "' + SLUG.encode() + b'", "kind": "submit", "source": "x = 1\\ny = \xff"}'
    answer = candidate.http.post("/api/submissions", content=raw, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "line 2, column 5" in answer.text
