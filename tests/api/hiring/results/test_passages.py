"""Tests the search for passages that two answers share. The search finds copied passages even if everything was renamed, and
finds none between answers that were written independently.
"""

import ast
import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from api.hiring.results import passages
from api.hiring.results.passages import LEAST_SHARE, compared, idioms, pairs, read

CHALLENGES = sorted(Path(__file__).parents[4].glob("challenges/*/*/submissions"))
ATTENTION = next(path for path in CHALLENGES if path.parent.name == "scaled-dot-product-attention")


def accepted(folder: Path) -> list[str]:
    """Return a challenge's accepted answers. With few exceptions, they were written independently of each other."""
    return [path.read_text() for path in sorted((folder / "accepted").glob("*.py"))]


def given(folder: Path) -> set[int]:
    """Return the grams (hashed runs of tokens, see passages.py) of the starter code that every candidate begins with."""
    return set(read((folder.parent / "starter.py").read_text()).grams)


class Renamed(ast.NodeTransformer):
    """Renames everything that the author named, and removes annotations."""

    def __init__(self, tree: ast.AST) -> None:
        stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | set(stored)
        self.names = {name: f"other_{number}" for number, name in enumerate(sorted(names - {"self"}))}

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names.get(node.arg, node.arg))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def disguised(source: str) -> str:
    """Return the same answer with other names, comments and layout, as if to hide that it was copied."""
    tree = ast.parse(source)
    return f"# All my own work.\n\n{ast.unparse(Renamed(tree).visit(tree))}"


def test_other_names_comments_and_layout_hide_nothing() -> None:
    shares = {}
    for folder in CHALLENGES:
        common = given(folder) | idioms([read(source) for source in accepted(folder)])
        for number, source in enumerate(accepted(folder)):
            told = compared(read(source), read(disguised(source)), common)
            shares[folder.parent.name, number] = max(told["left_share"], told["right_share"])
    assert len(shares) > 200
    assert min(shares.values()) > LEAST_SHARE + 0.1, min(shares, key=lambda key: shares[key])


def test_answers_written_differently_are_not_taken_for_copies() -> None:
    """Answers that were written independently must not count as similar. One similar pair in a hundred is tolerated, because
    some accepted answers were derived from each other.
    """
    alike, compared_pairs = [], 0
    for folder in CHALLENGES:
        for left, right in combinations([read(source) for source in accepted(folder)], 2):
            told = compared(left, right, given(folder))
            compared_pairs += 1
            if max(told["left_share"], told["right_share"]) >= LEAST_SHARE:
                alike.append(folder.parent.name)
    assert compared_pairs > 200
    assert len(alike) <= compared_pairs / 100, alike


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("import torch\ny = torch.nn.functional.relu(x)\n", "from torch.nn import functional as F\nz = F.relu(q)\n"),
        ("from torch import relu\ny = relu(x)\n", "import torch as t\ny = t.relu(x)\n"),
        (
            "def f(a: int, b: str = 'x') -> int:\n    return a\n",
            'def f(a, b="y"):\n    """What."""\n    return a  # it\n',
        ),
        ("total: float = 0.5\nsecond: int\n", "sum_of_all = 0.5\n"),
        (
            "class A:\n    def __init__(self):\n        self.x = 1\n",
            "class B:\n  def __init__(self): self.weight = 1;\n",
        ),
    ],
    ids=["import of a module", "import of a name", "annotations, texts", "annotated variable", "attributes of self"],
)
def test_what_can_be_changed_for_nothing_makes_no_difference(one: str, other: str) -> None:
    assert read(one).words == read(other).words


def test_what_matters_makes_a_difference() -> None:
    for one, other in (("x.sum(dim=0)", "x.sum(dim=1)"), ("x.sum()", "x.mean()"), ("sorted(x)", "max(x)")):
        assert read(one).words != read(other).words


def test_passages_name_the_lines_of_both() -> None:
    shared = "".join(f"    value_{n} = left[{n}] * right[{n + 1}] + {n}\n" for n in range(6))
    left, right = f"def f(left, right):\n{shared}", f"import math\n\n\ndef other(one):\n    return 7\n\n{shared}"
    told = compared(read(left), read(right), set())
    assert told["passages"] == [[2, 7, 7, 12]]
    assert (told["left_share"] > 0.8, told["right_share"] > 0.7) == (True, True)


def task(*answers: tuple[str, str, bool], **more: list[str]) -> dict[str, object]:
    """Return the input of the comparison for these answers. Each is an author, a source, and whether the answer is to be
    compared.
    """
    listed = [
        {"id": f"{who}-{number}", "who": who, "asked": asked, "source": source}
        for number, (who, source, asked) in enumerate(answers)
    ]
    return {"given": more.get("given", []), "references": more.get("references", []), "answers": listed}


def test_pairs_are_of_different_people_and_one_was_asked_for() -> None:
    source = accepted(ATTENTION)[0]
    found = pairs([task(("a", source, True), ("a", source, True), ("x", source, False), ("y", source, False))])
    assert [(one["left"], one["right"]) for one in found] == [
        ("a-0", "x-2"),
        ("a-0", "y-3"),
        ("a-1", "x-2"),
        ("a-1", "y-3"),
    ]


def test_starter_and_what_all_references_have_do_not_count() -> None:
    first, second = accepted(ATTENTION)[:2]
    both = (("a", first, True), ("b", disguised(first), True))
    assert len(pairs([task(*both)])) == 1
    assert pairs([task(*both, given=[first])]) == []
    assert pairs([task(*both, references=[first, f"{first}\n# and again"])]) == []
    assert len(pairs([task(*both, references=[first, second])])) == 1


@pytest.mark.parametrize(
    "source",
    ["", "def f(:\n", '"""never closed', "x = (\n" * 3000, "\t if\n  x\n y", "\x00", "x=1;" * 20_000, "é̸\u2028\ud83d"],
)
def test_whatever_is_sent_can_be_read(source: str) -> None:
    text = read(source)
    compared(text, text, set())
    assert len(text.words) == len(text.lines)


def test_it_runs_as_a_program_that_knows_nothing_of_us(tmp_path: Path) -> None:
    source = accepted(ATTENTION)[0]
    asked = json.dumps({"tasks": [task(("a", source, True), ("b", disguised(source), True))]})
    command = [sys.executable, "-I", "-S", str(Path(passages.__file__))]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True, env={}, cwd=tmp_path)
    told = json.loads(done.stdout)["pairs"]
    assert [(one["left"], one["right"]) for one in told] == [("a-0", "b-1")]
    assert told == pairs(json.loads(asked)["tasks"]), "the same in every process"
