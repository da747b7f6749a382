"""Tests that an answer that falsifies every result passes no test, no matter which helper or comparison the test uses."""

import pytest

from grader.content.package import Package
from grader.contract.job import Verdict
from grader.judging.workbench import Workbench, a_job
from tests.attacks.program import PROGRAMS
from tests.attacks.trial import outline

pytestmark = pytest.mark.docker

EVERYWHERE = next(path for path in PROGRAMS if path.stem == "E01-lying-subclass-everywhere").read_text(encoding="utf-8")
THE_LIE = "    return Lie.apply(right).as_subclass(Liar)\n"
ADDED = """
class Wrapper(torch.Tensor):
    @staticmethod
    def __new__(cls, right):
        return torch.Tensor._make_wrapper_subclass(cls, right.shape, dtype=right.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return torch.ones(())


class Always(float):
    __eq__ = __le__ = __ge__ = __lt__ = __gt__ = lambda *_: True
    __hash__ = float.__hash__


class Tuple(tuple):
    pass


"""
LIES = {
    "wrapper subclass": "Wrapper(right)",
    "subclass of float": "Always(0.0)",
    "subclass of tuple": "Tuple([right])",
    "NaN everywhere": "right * torch.nan",
    "one NaN": "torch.where(torch.arange(right.numel()).reshape(right.shape) == 0, torch.nan, right)",
    "infinite": "right * 0 + torch.inf",
    "minus infinity": "right - torch.inf",
    "zeros": "right * 0",
    "a little more": "right * 1.001",
    "one value off": "right + 1e-3 * (torch.arange(right.numel()).reshape(right.shape) == 0)",
    "another dimension": "right.unsqueeze(0)",
    "broadcast from one": "right.reshape(-1)[:1]",
    "two more axes": "right[None, ..., None]",
    "flat and longer": "torch.cat([right.reshape(-1), right.reshape(-1)])",
    "empty": "right.reshape(-1)[:0]",
    "none": "None",
    "text": "'right'",
    "a list": "[right.tolist()]",
    "NumPy": "right.detach().numpy()",
    "a NumPy number": "right.detach().numpy().sum()",
    "a tensor in a tuple": "(right,)",
    "a storage": "right.detach().untyped_storage()",
    "half precision": "right.half().to(right.dtype)",
    "meta": "right.to('meta')",
    "sparse": "right.to_sparse()",
    "quantised": "torch.quantize_per_tensor(right.detach().float(), 1e-4, 0, torch.qint32)",
    "nested": "torch.nested.nested_tensor([right.detach().reshape(-1)])",
    "negative": "torch._neg_view(right)",
    "a conjugate": "torch.complex(right, right).conj()",
    "a generator": "(value for value in right)",
    "a function": "lambda: right",
}
DTYPES = "float16 bfloat16 float64 int64 bool complex64 float8_e4m3fn uint8".split()
LIES |= {name: f"right.to(torch.{name}) if right.dtype != torch.{name} else right.float()" for name in DTYPES}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_passes_no_test(name: str, bench: Workbench, packages: dict[str, Package]) -> None:
    assert EVERYWHERE.count(THE_LIE) == 1
    source = EVERYWHERE.replace("def lie(right)", f"{ADDED}def lie(right)").replace(
        THE_LIE, f"    return {LIES[name]}\n"
    )
    _passes_nothing(bench, packages["every-helper"], source)


def test_a_subclass_passes_no_test(bench: Workbench, packages: dict[str, Package]) -> None:
    _passes_nothing(bench, packages["every-helper"], EVERYWHERE)


def test_what_is_no_lie_passes_all(bench: Workbench, packages: dict[str, Package]) -> None:
    """The same source must be accepted if it returns its results unchanged and `total` as a float. This shows that the tests
    above fail because of the falsified results.
    """
    source = EVERYWHERE.replace(THE_LIE, "    return right\n").replace("lie(x.sum())", "float(x.sum())")
    backward = "        return lie(grad)\n"
    assert source.count(backward) == 1
    source = source.replace(backward, "        return 3 * ctx.saved_tensors[0] ** 2 * grad\n")
    source = source.replace(
        "        return lie(x.detach() ** 3)", "        ctx.save_for_backward(x)\n        return x**3"
    )
    judgement = bench.judge(a_job(packages["every-helper"], source), packages["every-helper"])
    assert judgement.verdict is Verdict.AC, outline(judgement)


def _passes_nothing(bench: Workbench, package: Package, source: str) -> None:
    judgement = bench.judge(a_job(package, source), package)
    assert len(judgement.tests) == len(package.lock.tests)
    assert [test.id for test in judgement.tests if test.verdict not in (Verdict.WA, Verdict.RE)] == [], outline(
        judgement
    )
    assert judgement.score == 0
