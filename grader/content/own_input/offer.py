"""Says which functions and modules of a challenge a candidate can compare with the reference on their own input. These are the
ones that take plain values and tensors: those for which the sample tests contain an example call.
"""

from functools import lru_cache

from grader.content.own_input.example_call import example_calls
from grader.content.package import Package, TestSpec

TEST = TestSpec(
    id="test_own_input",
    title="Your answer and the reference return the same for your input.",
    points=0,
    sample=True,
)
# An upper limit for the input's length in characters. An input is a few lines; larger arguments are built by code.
MAX_INPUT = 4000
REMEMBERED = 512


def example_calls_of(package: Package) -> dict[str, str]:
    """Return an example call of each function and module that can be compared, by name. Empty if the challenge has none."""
    functions = tuple(e.name for e in package.info.entry if e.kind == "function" and e.returns == "value")
    samples = tuple(test.id.partition("[")[0] for test in package.lock.tests if test.sample)
    return _examples(package.tests_source, samples, functions, modules_of(package))


def modules_of(package: Package) -> tuple[str, ...]:
    """Return the names of the modules that the answer defines."""
    return tuple(e.name for e in package.info.entry if e.kind == "module")


@lru_cache(maxsize=REMEMBERED)
def _examples(
    tests: str, samples: tuple[str, ...], functions: tuple[str, ...], modules: tuple[str, ...]
) -> dict[str, str]:
    return example_calls(tests, samples, functions, modules)
