"""Checks how an answer's source is examined before it runs: which code must be reported, and which code must not be."""

import pytest

from grader.inside.screen import screen

SOFTMAX = "torch.nn.functional.softmax"
FORBIDDEN = (SOFTMAX, "torch.softmax", "torch.nn.MultiheadAttention", "torch.autograd")

FOUND = [
    "import torch\nx = torch.softmax",
    "import torch as t\nx = t.softmax(1)",
    "from torch import softmax",
    "from torch import softmax as innocent",
    "import torch.nn.functional as F\ny = F.softmax(x)",
    "import torch.nn.functional\ny = torch.nn.functional.softmax(x)",
    "from torch.nn import functional\ny = functional.softmax(x)",
    "from torch.nn import functional as F\ny = F.softmax.__call__(x)",
    "from torch import nn\ny = nn.functional.softmax(x)",
    "from torch import nn\nclass A(nn.MultiheadAttention): pass",
    "def f():\n    from torch.nn.functional import softmax as s\n    return s",
    "from torch.nn.functional import *\ny = softmax(x)",
    "import torch\ndef f(x, how=torch.softmax): return how(x)",
    "import torch\n@torch.softmax\ndef f(): pass",
    "import torch\nx = [torch.nn.functional.softmax for _ in range(3)]",
    "import torch\ny = torch.autograd.grad(x, x)",
    "from torch import autograd",
    "from torch.autograd import grad",
    "from torch.autograd import *",
    "from torch.autograd.forward_ad import dual_level as level",
    "import torch.autograd.forward_ad as ahead\nx = ahead.dual_level()",
    "import torch.autograd.forward_ad as ahead",
    "import torch.autograd",
]
NOT_FOUND = [
    "def softmax(x): return x\ny = softmax(1)",
    "class torch_like:\n    softmax = 1\ny = torch_like.softmax",
    "import torch\ny = torch.log_softmax",
    "import torch\ny = torch.softmax_",
    "import numpy\ny = numpy.softmax",
    "from .functional import softmax",
    "from .autograd import grad",
    "import torch.autograd_of_mine\nfrom torch.autograd_of_mine import grad",
    "from torch.special import softmax",
    "# torch.softmax\ny = 'torch.nn.functional.softmax'",
    "x.softmax(-1)",
    "from torch.nn.functional import *\ny = relu(x)",
]


@pytest.mark.parametrize("source", FOUND)
def test_forbidden_name_is_found_by_every_road(source: str) -> None:
    complaint = screen(source, FORBIDDEN)
    assert complaint is not None
    assert complaint.verdict == "RV"
    assert "is not allowed in this challenge" in complaint.message


@pytest.mark.parametrize("source", NOT_FOUND)
def test_innocent_source_passes(source: str) -> None:
    assert screen(source, FORBIDDEN) is None


def test_complaint_points_at_the_place() -> None:
    source = "import torch\n\n# \u2028 is no new line\ndef f(x):\n    return  torch.softmax(x, -1)\n"
    complaint = screen(source, FORBIDDEN)
    assert complaint is not None
    assert (complaint.line, complaint.column, complaint.text) == (5, 13, "    return  torch.softmax(x, -1)")


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("def f(:\n", 1, "invalid syntax"),
        ("x = 1\nif x:\ny = 2\n", 3, "expected an indented block"),
        ("def f():\n\treturn 1\n        return 2\n", 3, "inconsistent use of tabs"),
        ("x = (\n", 1, "was never closed"),
        ("return 1\n", 1, "'return' outside function"),
        ("x = 0777\n", 1, "leading zeros"),
    ],
)
def test_source_that_does_not_compile_says_where(source: str, line: int, words: str) -> None:
    complaint = screen(source, ())
    assert complaint is not None
    assert complaint.verdict == "CE"
    assert complaint.line == line
    assert words in complaint.message


@pytest.mark.parametrize("source", ["x = 1\0", "x = '\ud800'", "x = " + "(" * 5000, "x = " + "-" * 50_000 + "1"])
def test_hostile_source_is_a_complaint_and_not_an_exception(source: str) -> None:
    complaint = screen(source, ())
    assert complaint is not None
    assert complaint.verdict == "CE"
    assert len(complaint.message) < 400


def test_empty_source_compiles() -> None:
    assert screen("", FORBIDDEN) is None


def test_warnings_of_the_compiler_are_not_errors() -> None:
    assert screen("x = '\\d'\ny = 1 is 1\n", ()) is None
