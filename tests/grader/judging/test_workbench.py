"""Checks what a person reads if a workbench cannot start."""

import pytest

from grader.contract.errors import Unavailable
from grader.hosts.processes import ProcessEngine
from grader.judging.workbench import workbench


def test_workbench_without_an_engine_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: object) -> None:
        raise Unavailable("start the engine")

    monkeypatch.setattr(ProcessEngine, "connect", missing)
    with pytest.raises(Unavailable, match="start the engine"), workbench("process"):
        pass
