"""Checks what happens if the gate judges a source and the verdict is TLE (time limit exceeded). A timeout without much use of
CPU time can be the fault of a busy machine. If the caller asks for that, the source must then be judged once more.
"""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from grader.contract.job import Limits, Verdict
from grader.gate.trials.run import Trial, judge_trials
from grader.judging.workbench import Workbench
from tests.grader.gate.conftest import REFERENCE
from tests.grader.gate.test_attack import WEAK

pytestmark = pytest.mark.docker
SLEEPS = "import time\n" + REFERENCE.replace("    y = x + x\n", "    time.sleep(30)\n    y = x + x\n")


@pytest.mark.parametrize(("patient", "judgings"), [(False, 1), (True, 2)])
def test_what_was_late_is_tried_again_by_the_patient(
    docker_bench: Workbench, make: Any, monkeypatch: pytest.MonkeyPatch, patient: bool, judgings: int
) -> None:
    package = make(WEAK, tests="test_values")
    limits = Limits(cpu_s_per_call=0.3, cpu_s=0.4)
    package = msgspec.structs.replace(package, info=msgspec.structs.replace(package.info, limits=limits))
    sent: list[object] = []
    judge_all = docker_bench.judge_all

    def counted(jobs: Any, **more: Any) -> Any:
        waiting = list(jobs)
        sent.extend(waiting)
        return judge_all(waiting, **more)

    monkeypatch.setattr(docker_bench, "judge_all", counted)
    [end] = judge_trials(docker_bench, [Trial("one", SLEEPS, 0, package)], patient=patient)
    assert end.judgement is not None
    assert end.judgement.verdict is Verdict.TLE
    assert len(sent) == judgings
    assert end.late
    busy = msgspec.structs.replace(end.judgement, cpu_s=limits.cpu_s)
    assert not replace(end, judgement=busy).late, "it has used up its time: the clock did it no wrong"
