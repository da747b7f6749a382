"""Checks the mutants of a reference: how each operator changes a line, which lines no operator changes, and which mutants are
chosen.
"""

import ast

import pytest

from grader.gate.mutation.mutants import every_mutant, mutants
from grader.gate.mutation.operators import OPERATORS

SOURCE = '''
"""A module."""
from __future__ import annotations
import torch


def f(x: torch.Tensor, dim: int = -1, keep: bool = True) -> torch.Tensor:
    """Docstring with 3 numbers."""
    if x.dim() < 1 or not keep:
        raise ValueError(f"needs {1 + 1} dimensions")
    y = x.detach() - x.amax(dim, keepdim=keep)
    y = torch.exp(y)
    y /= y.sum(dim=dim, keepdim=True)
    return y[1:] * 0.5


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(3))

    def extra_repr(self) -> str:
        return "3" * 2

    def forward(self, x):
        with torch.no_grad():
            return torch.where(x > 0, self.weight, x)


if __name__ == "__main__":
    print(1 + 1)
'''


def changes(source: str, operator: str) -> set[str]:
    """Return one line for each mutant that this operator makes of `source`: the line that the mutant changes, as it is after
    the change.
    """
    made = (m for m in every_mutant(source) if m.operator == operator)
    return {" ".join(line[1:].strip() for line in m.diff.splitlines() if line[0] == "+") for m in made}


@pytest.mark.parametrize(
    ("operator", "line", "expected"),
    [
        ("arithmetic", "y = a + b", {"y = a - b"}),
        ("arithmetic", "y @= a * b", {"y @= a / b"}),
        ("comparison", "y = a <= b", {"y = a < b"}),
        ("comparison", "y = a == b", {"y = a != b"}),
        (
            "constant",
            "y = a[2] + True + 0.5",
            {"y = a[3] + True + 0.5", "y = a[2] + False + 0.5", "y = a[2] + True + 1.0"},
        ),
        ("keyword", "y = a.sum(dim=1, keepdim=b)", {"y = a.sum(keepdim=b)", "y = a.sum(dim=1)"}),
        ("condition", "y = a if b else c", {"y = a if not b else c"}),
        ("condition", "y = a if not b else c", {"y = a if b else c"}),
        ("connective", "y = a and b", {"y = a or b"}),
        ("sign", "y = -a", {"y = a"}),
        ("axis", "y = a.sum(-1)", {"y = a.sum(0)"}),
        ("skipped-call", "y = a.detach()", {"y = a"}),
        ("skipped-call", "y = torch.sqrt(a)", {"y = a"}),
        ("other-name", "y = a.max()", {"y = a.min()"}),
        ("swapped-arguments", "y = g(a, b, c)", {"y = g(b, a, c)"}),
        ("swapped-arguments", "y = a.transpose(0, 1)", set()),
        ("slice", "y = a[1::2]", {"y = a[::2]", "y = a[1:]"}),
        ("statement", "a += b", {"pass"}),
        ("statement", "y = a", set()),
        ("statement", "a = b", {"pass"}),
    ],
)
def test_an_operator_makes(operator: str, line: str, expected: set[str]) -> None:
    assert changes(f"def f(a, b, c):\n    {line}\n    return y\n", operator) == expected


def test_with_is_left_and_its_body_stays() -> None:
    source = "def f(x):\n    with torch.no_grad():\n        y = x + 1\n    return y\n"
    assert changes(source, "context") == {"if True:"}


def test_every_operator_has_something_to_do() -> None:
    found = {m.operator for m in every_mutant(SOURCE)}
    assert found == set(OPERATORS)


def test_each_mutant_compiles_and_none_is_the_reference_or_another() -> None:
    made = list(every_mutant(SOURCE))
    trees = [ast.dump(ast.parse(m.source)) for m in made]
    assert len(set(trees)) == len(trees)
    assert ast.dump(ast.parse(SOURCE)) not in trees
    assert len({m.id for m in made}) == len(made) > 30


def test_what_nobody_sees_is_left_alone() -> None:
    kept = (
        '"""Docstring with 3 numbers."""',
        "raise ValueError(f'needs {1 + 1} dimensions')",
        "return '3' * 2",
        "print(1 + 1)",
    )
    for made in every_mutant(SOURCE):
        if made.operator != "statement":
            assert all(line in made.source for line in kept), made.diff
        assert "from __future__ import annotations" in made.source


def test_the_choice_is_the_same_each_time_spread_and_at_most_24() -> None:
    chosen = mutants(SOURCE)
    assert chosen == mutants(SOURCE)
    assert len(chosen) == 24
    assert {m.operator for m in chosen} == {m.operator for m in every_mutant(SOURCE)}
    assert len({m.line for m in chosen}) >= 8


def test_ids_stay_when_other_lines_change() -> None:
    before = {m.id for m in every_mutant("def f(a, b):\n    c = a + b\n    return c * 2\n")}
    after = {m.id for m in every_mutant("def f(a, b):\n    c = a + b\n    c = abs(c)\n\n    return c * 2  # twice\n")}
    assert before <= after
