"""Defines the pytest plugin that provides the fixtures of hidden tests.

The tests of a challenge are collected once and then used for many judgings. The values that differ between judgings are in a
`JudgingContext`, which is set in the child process that the judge forks for each judging.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest
import torch

from grader.testing.bench import Bench
from grader.testing.exhibits import Exhibits
from grader.testing.marks import DESCRIPTIONS
from grader.testing.rng import Rng


@dataclass
class JudgingContext:
    """The values of the fixtures in one judging."""

    solution: Any = None
    probes: Any = None
    attest: Any = None
    reference: ModuleType | None = None
    given: ModuleType | None = None
    seed: int = 0
    device: str = "cpu"
    exhibits: Exhibits = field(default_factory=Exhibits)


class JudgePlugin:
    """Provides the fixtures. Their values come from `present`, which is the context of the current judging."""

    def __init__(self) -> None:
        self.present = JudgingContext()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare the marks of the testing kit. pytest runs with --strict-markers, so any other mark is an error."""
        for line in DESCRIPTIONS:
            config.addinivalue_line("markers", line)

    def fixture_values(self, names: Iterable[str], test_id: str) -> dict[str, Any]:
        """Return the values of the fixtures called `names`. The judge calls this for tests that use only fixtures of this
        plugin, because it is faster than pytest's setup of fixtures.
        """
        made: dict[str, Callable[[], Any]] = {
            "rng": lambda: Rng(self.present.seed, test_id),
            "exhibit": lambda: self.present.exhibits,
            "bench": Bench,
            "device": lambda: torch.device(self.present.device),
        }
        return {name: made[name]() if name in made else getattr(self.present, name) for name in names}

    @pytest.fixture
    def solution(self) -> Any:
        """The functions and classes of the answer that challenge.toml declares. Calls of them run in the cell."""
        return self.present.solution

    @pytest.fixture
    def probes(self) -> Any:
        """The functions of the author's probes.py, which run in the cell."""
        return self.present.probes

    @pytest.fixture
    def attest(self) -> Any:
        """A function that calls the answer, and returns what was observed during the call."""
        return self.present.attest

    @pytest.fixture
    def reference(self) -> ModuleType | None:
        """The module of the first accepted answer, loaded in the judge."""
        return self.present.reference

    @pytest.fixture
    def given(self) -> ModuleType | None:
        """The module given.py, loaded in the judge."""
        return self.present.given

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> Rng:
        """Random data, derived from the judging's secret seed and the id of the test."""
        return Rng(self.present.seed, request.node.nodeid.partition("::")[2])

    @pytest.fixture
    def exhibit(self) -> Exhibits:
        """An object that collects charts for the result page and the report."""
        return self.present.exhibits

    @pytest.fixture
    def bench(self) -> Bench:
        """A function that measures the speed of the answer relative to the reference."""
        return Bench()

    @pytest.fixture
    def device(self) -> torch.device:
        """The device on which the answer runs."""
        return torch.device(self.present.device)
