"""Local mode lets authors run hidden tests without cells:

    python -m grader.gate.local.run CHALLENGE ANSWER.py [--seed N] [any option of pytest]

The program imports the answer as a module, runs the challenge's tests.py against it in the same process, and shows pytest's
output. This is only a quick check. The authoring gate runs answers in cells, as the service runs the answers of candidates.
"""

import argparse
import importlib.util
import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.gate.local.attest import LocalAttest
from grader.testing.bench import Bench
from grader.testing.exhibits import Exhibits
from grader.testing.marks import DESCRIPTIONS
from grader.testing.rng import Rng


@dataclass(frozen=True)
class Challenge:
    """The modules that tests.py gets as fixtures. If the challenge has no given.py or probes.py, that module is empty."""

    solution: ModuleType
    reference: ModuleType
    given: ModuleType
    probes: ModuleType


class Probes:
    """The fixture `probes`. With it, tests call the functions of probes.py: `probes.drive(x, 3)` calls drive(module, x, 3)."""

    def __init__(self, functions: ModuleType, module: ModuleType) -> None:
        self._functions, self._module = functions, module

    def on(self, module: ModuleType) -> "Probes":
        """Return probes that call the same functions with another module, as in `probes.on(reference)`."""
        return Probes(self._functions, module)

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._functions, name, None)
        if name.startswith("_") or not callable(function):
            raise AttributeError(f"probes.py has no function {name!r}")
        return partial(function, self._module)


class LocalPlugin:
    """A pytest plugin that provides the fixtures of tests.py, with modules loaded in this process."""

    def __init__(self, challenge: Challenge, seed: int) -> None:
        self._challenge, self._seed = challenge, seed

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare the marks of the testing kit. pytest runs with --strict-markers, so any other mark is an error."""
        for line in DESCRIPTIONS:
            config.addinivalue_line("markers", line)

    @pytest.fixture
    def solution(self) -> ModuleType:
        return self._challenge.solution

    @pytest.fixture
    def reference(self) -> ModuleType:
        return self._challenge.reference

    @pytest.fixture
    def given(self) -> ModuleType:
        return self._challenge.given

    @pytest.fixture
    def probes(self) -> Probes:
        return Probes(self._challenge.probes, self._challenge.solution)

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> Rng:
        return Rng(self._seed, request.node.nodeid.partition("::")[2])

    @pytest.fixture
    def exhibit(self) -> Exhibits:
        return Exhibits()

    @pytest.fixture
    def bench(self) -> Bench:
        return Bench()

    @pytest.fixture
    def device(self) -> torch.device:
        return torch.device("cpu")

    @pytest.fixture
    def attest(self) -> LocalAttest:
        return LocalAttest()


def load_challenge(folder: Path, answer: Path) -> Challenge:
    """Import given.py, probes.py, the first accepted answer and `answer` as the modules of a Challenge.

    Exceptions raised by the files are not caught. Raises `FileNotFoundError` if a file is missing.
    """
    accepted = sorted((folder / "submissions" / "accepted").glob("*.py"))
    for path, what in ((folder / "tests.py", "the hidden tests"), (answer, "the answer")):
        if not path.is_file():
            raise FileNotFoundError(f"{path} is missing: it should be {what}")
    if not accepted:
        raise FileNotFoundError(f"{folder}/submissions/accepted holds no *.py: the first of them is the reference")
    # The order matters: answers may import given, and probes may import given and the answers.
    given = _loaded("given", folder / "given.py")
    solution, reference = _loaded("solution", answer), _loaded("reference", accepted[0])
    return Challenge(solution, reference, given, probes=_loaded("probes", folder / "probes.py"))


def _loaded(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(f"{path}: only files that end in .py can be imported")
    module = importlib.util.module_from_spec(spec)
    # The module is registered before it runs, because dataclasses with postponed annotations look up their module.
    sys.modules[name] = module
    if path.is_file():
        spec.loader.exec_module(module)
    return module


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests with the options of the command line. Returns pytest's exit status."""
    parser = argparse.ArgumentParser("python -m grader.gate.local.run", description=__doc__, allow_abbrev=False)
    parser.add_argument("challenge", type=Path, help="folder that holds tests.py")
    parser.add_argument("answer", type=Path, help="the file to test, for example submissions/accepted/first.py")
    parser.add_argument("--seed", type=int, help="what `rng` draws from (default: a random one, which is printed)")
    options, for_pytest = parser.parse_known_args(arguments)
    sys.dont_write_bytecode = True
    # Without this line, pytest could use a package named tests, or the tests.py of a challenge that ran before.
    sys.modules.pop("tests", None)
    folder = options.challenge.resolve()
    try:
        challenge = load_challenge(folder, options.answer)
    except FileNotFoundError as error:
        parser.error(str(error))
    # pytest reads no configuration file, cache or conftest, so the result depends on this folder only.
    fixed = ["-c", os.devnull, "--rootdir", str(folder), "-p", "no:cacheprovider", "--noconftest"]
    fixed += ["--import-mode=importlib", "--strict-markers", str(folder / "tests.py")]
    seed = secrets.randbits(63) if options.seed is None else options.seed
    print(f"seed {seed} (the same inputs again: --seed {seed})", flush=True)
    return int(pytest.main([*fixed, *for_pytest], plugins=[LocalPlugin(challenge, seed)]))


if __name__ == "__main__":
    sys.exit(main())
