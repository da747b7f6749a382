"""Judges every program of programs/ in a Docker cell. The verdict must be one that the program's header allows. The grader
must not fail, reveal anything hidden or leave anything behind. Honest answers beside the program and after it must be accepted.
"""

import re

import pytest

from grader.content.package import Package
from grader.contract.job import Verdict
from grader.judging.workbench import Workbench
from tests.attacks.program import PROGRAMS, Program
from tests.attacks.trial import first_message, outline, trial

pytestmark = pytest.mark.docker


@pytest.mark.parametrize("program", [Program.read(path) for path in PROGRAMS], ids=lambda program: program.name)
def test_program_gets_its_verdict_and_leaves_nothing(
    program: Program, bench: Workbench, packages: dict[str, Package]
) -> None:
    judgement = trial(bench, packages[program.package], program.source)
    if judgement.verdict is Verdict.TLE and Verdict.TLE not in program.expected:
        # On a busy machine, the answer may run out of time before it has tried its attack. Such a result proves nothing, so the
        # answer is judged again.
        judgement = trial(bench, packages[program.package], program.source)
    assert judgement.verdict in program.expected, outline(judgement)
    assert re.search(program.message, first_message(judgement), flags=re.S), outline(judgement)
