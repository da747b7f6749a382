"""Tests that no submission finds what another one leaves behind. This is tested for the next submission in the same cell, and
for a submission that runs at the same time in another cell.

Each pair of programs in programs/pairs is judged twice: first one after the other in one slot, then both at the same time in
two slots.
"""

from pathlib import Path

import pytest

from grader.content.package import Package
from grader.contract.job import Judgement
from grader.judging.workbench import Workbench, a_job
from tests.attacks.aftermath import left_in_cell, settled, strangers, uids_of
from tests.attacks.program import Program
from tests.attacks.trial import outline

pytestmark = pytest.mark.docker

FOLDER = Path(__file__).parent / "programs" / "pairs"
NAMES = sorted(path.stem.removesuffix("-plants") for path in FOLDER.glob("*-plants.py"))


def halves(name: str) -> tuple[Program, Program]:
    """Return the program that leaves something behind, and the program that looks for it."""
    return Program.read(FOLDER / f"{name}-plants.py"), Program.read(FOLDER / f"{name}-looks.py")


def held(judgement: Judgement, program: Program) -> None:
    """Check that the program's header allows the verdict of this judgement."""
    assert judgement.verdict in program.expected, f"{program.name}\n{outline(judgement)}"


def test_every_program_has_its_other_half() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {
        f"{name}-{half}" for name in NAMES for half in ("plants", "looks")
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_next_job_in_the_same_cell_finds_nothing(name: str, bench: Workbench, package: Package) -> None:
    plants, looks = halves(name)
    for number in range(len(bench._slots)):
        settled(bench, number)
    held(bench.judge(a_job(package, plants.source), package), plants)
    cell = settled(bench)._cell
    assert cell is not None, "the cell was dropped: another one would prove nothing"
    held(bench.judge(a_job(package, looks.source), package), looks)
    assert settled(bench)._cell is cell
    assert left_in_cell(settled(bench)) == []
    assert strangers(bench) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_job_beside_it_finds_nothing(name: str, bench: Workbench, package: Package) -> None:
    programs = halves(name)
    for number in range(len(bench._slots)):
        settled(bench, number)
    jobs = {(job := a_job(package, program.source)).id: (job, program) for program in programs}
    for end in bench.judge_all([(job, package) for job, _ in jobs.values()]):
        assert end.judgement is not None, end.fault
        held(end.judgement, jobs[end.job.id][1])


def test_no_uid_is_lost_to_answers_that_die(bench: Workbench, package: Package) -> None:
    source = "import os\ndef attention(q, k, v):\n    os.fork()\n    os._exit(0)\n"
    used = []
    for _ in range(6):
        bench.judge(a_job(package, source), package)
        for number in range(len(bench._slots)):
            settled(bench, number)
        used.append(len(uids_of(bench)._used))
    assert used[-1] == used[0], used
