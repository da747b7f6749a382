"""The fixtures of a hidden test, in the judge. A judging's own values are set after the fork, in `Present`."""

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
class Present:
    """What this judging's tests work with."""

    solution: Any = None
    probes: Any = None
    attest: Any = None
    reference: ModuleType | None = None
    given: ModuleType | None = None
    seed: int = 0
    device: str = "cpu"
    exhibits: Exhibits = field(default_factory=Exhibits)


class JudgePlugin:
    """Hands out the present judging's values."""

    def __init__(self) -> None:
        self.present = Present()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Declare the kit's marks: unknown ones are errors."""
        for line in DESCRIPTIONS:
            config.addinivalue_line("markers", line)

    def hand_out(self, names: Iterable[str], test_id: str) -> dict[str, Any]:
        """The values of the fixtures below, for a test that asks for no others: without pytest's way through each of them."""
        made: dict[str, Callable[[], Any]] = {
            "rng": lambda: Rng(self.present.seed, test_id),
            "exhibit": lambda: self.present.exhibits,
            "bench": Bench,
            "device": lambda: torch.device(self.present.device),
        }
        return {name: made[name]() if name in made else getattr(self.present, name) for name in names}

    @pytest.fixture
    def solution(self) -> Any:
        """The answer's closed surface."""
        return self.present.solution

    @pytest.fixture
    def probes(self) -> Any:
        """Functions of probes.py, run in the cell."""
        return self.present.probes

    @pytest.fixture
    def attest(self) -> Any:
        """Observed calls."""
        return self.present.attest

    @pytest.fixture
    def reference(self) -> ModuleType | None:
        """The first accepted answer, here."""
        return self.present.reference

    @pytest.fixture
    def given(self) -> ModuleType | None:
        """given.py, here."""
        return self.present.given

    @pytest.fixture
    def rng(self, request: pytest.FixtureRequest) -> Rng:
        """Draws from the judging's secret seed and the test's id."""
        return Rng(self.present.seed, request.node.nodeid.partition("::")[2])

    @pytest.fixture
    def exhibit(self) -> Exhibits:
        """Pictures for the page and the report."""
        return self.present.exhibits

    @pytest.fixture
    def bench(self) -> Bench:
        """Speed against the reference, by chained calls."""
        return Bench()

    @pytest.fixture
    def device(self) -> torch.device:
        """The judging's device."""
        return torch.device(self.present.device)
