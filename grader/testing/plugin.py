"""Defines the pytest plugin that provides the fixtures of hidden tests.

Tests are collected once per package. The values of one judging are in a `JudgingContext`, which is set
after the judge has forked a child for this judging.
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
    """Provides the fixtures. Their values are those of `present`, the context of the judging that is running."""

    def __init__(self) -> None:
        self.present = JudgingContext()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare the kit's marks. With --strict-markers, any other mark is an error."""
        for line in DESCRIPTIONS:
            config.addinivalue_line("markers", line)

    def fixture_values(self, names: Iterable[str], test_id: str) -> dict[str, Any]:
        """Return the values of the fixtures below, for a test that uses no others. Faster than pytest's own setup."""
        made: dict[str, Callable[[], Any]] = {
            "rng": lambda: Rng(self.present.seed, test_id),
            "exhibit": lambda: self.present.exhibits,
            "bench": Bench,
            "device": lambda: torch.device(self.present.device),
        }
        return {name: made[name]() if name in made else getattr(self.present, name) for name in names}

    @pytest.fixture
    def solution(self) -> Any:
        """The parts of the answer that challenge.toml declares."""
        return self.present.solution

    @pytest.fixture
    def probes(self) -> Any:
        """Functions of probes.py, run in the cell."""
        return self.present.probes

    @pytest.fixture
    def attest(self) -> Any:
        """Calls the answer, and returns what was observed during the call."""
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
        """Random data, derived from the judging's secret seed and the test's id."""
        return Rng(self.present.seed, request.node.nodeid.partition("::")[2])

    @pytest.fixture
    def exhibit(self) -> Exhibits:
        """Collects charts for the result page and the report."""
        return self.present.exhibits

    @pytest.fixture
    def bench(self) -> Bench:
        """Measures the answer's speed relative to the reference."""
        return Bench()

    @pytest.fixture
    def device(self) -> torch.device:
        """The device on which the answer runs."""
        return torch.device(self.present.device)
