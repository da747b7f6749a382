"""Checks which system calls the filters deny to three kinds of process: the zygote of a real cell, a candidate's answer, and a
child of the judge.

Each of them makes every system call of this machine, by number. The allowed calls must be exactly those in
grader/inside/confine/syscalls.py. So a test fails if a call becomes allowed or denied by mistake.
"""

import subprocess
import uuid
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.content.package import Lock, Package, load
from grader.content.package import TestSpec as DeclaredTest
from grader.contract.job import Kind, Limits
from grader.inside.confine.syscalls import NEWEST
from grader.judging.workbench import Workbench, a_job
from tests.attacks.aftermath import settled
from tests.grader.inside.every_call import (
    FAR,
    PAST_EVERY_FILTER,
    PROBE,
    TOP,
    allowed,
    clone3,
    read_report,
    refused_by_the_kernel,
    unknown_by_themselves,
)

pytestmark = pytest.mark.docker

ATTACKED = Path(__file__).parents[2] / "attacks/package/hostile/attention"
PATIENT = Limits(cpu_s_per_call=60.0, cpu_s=60.0, memory_mb=512, output_kb=64)
# The highest call number that an old container engine knows. Such an engine makes all newer calls fail with ENOSYS.
OLD_ENGINES_KNOW = 448

Report = dict[str, Any]


@pytest.fixture(scope="module")
def package() -> Package:
    """A small package whose limits leave time for several hundred forks."""
    found = load(ATTACKED)
    return msgspec.structs.replace(found, info=msgspec.structs.replace(found.info, limits=PATIENT))


@pytest.fixture(scope="module")
def from_a_candidate(docker_bench: Workbench, package: Package) -> Report:
    """The report of a scratch job, which runs code without tests. It runs in a child of a cell, confined and filtered like any
    answer.
    """
    job = a_job(package, package.reference + PROBE, Kind.SCRATCH, snippet="print(report())")
    judgement = docker_bench.judge(job, package)
    assert judgement.output.startswith("{"), judgement
    return read_report(judgement.output)


@pytest.fixture(scope="module")
def from_a_judge(docker_bench: Workbench, package: Package) -> Report:
    """The report of a hidden test, which runs in a judge's child, like all code of authors."""
    source = (
        f"from grader.testing import check, sample\n{PROBE}\n@sample\ndef test_calls():\n    check(False, report())\n"
    )
    lock = Lock((DeclaredTest("test_calls", "test_calls", 1, sample=True),))
    hostile = msgspec.structs.replace(package, tests_source=source, lock=lock, digest=uuid.uuid4().hex)
    judgement = docker_bench.judge(a_job(hostile, package.reference), hostile)
    return read_report(judgement.tests[0].message)


@pytest.fixture(scope="module")
def from_a_zygote(docker_bench: Workbench, package: Package) -> Report:
    """The report of a process that the container engine starts in a cell that has judged a job. Like the zygote, it has only
    the container's filter.
    """
    docker_bench.judge(a_job(package, package.reference), package)
    cell = settled(docker_bench)._cell
    assert cell is not None
    command = ["docker", "exec", "-i", cell.host._handle.id, "python3", "-"]  # type: ignore[attr-defined]
    source = PROBE + "\nprint(report())\nprint([line for line in open('/proc/1/status') if 'Seccomp' in line])\n"
    ended = subprocess.run(command, input=source, capture_output=True, text=True, check=True, timeout=120)
    report, of_the_zygote = ended.stdout.splitlines()
    assert "Seccomp:\\t2" in of_the_zygote, of_the_zygote
    assert f"Seccomp_filters:\\t{read_report(report)['filters']}" in of_the_zygote, "not the zygote's filter"
    return read_report(report)


EVERY = {*range(TOP + 1), *FAR} - PAST_EVERY_FILTER
KNOWN = set(range(NEWEST + 1)) - PAST_EVERY_FILTER


@pytest.mark.parametrize("who", ["from_a_candidate", "from_a_judge"])
def test_children_get_through_with_what_the_table_names_and_nothing_else(
    who: str, request: pytest.FixtureRequest
) -> None:
    report: Report = request.getfixturevalue(who)
    through = allowed(zygote=False)
    assert report["EPERM"] - PAST_EVERY_FILTER == KNOWN - through - {clone3()} | refused_by_the_kernel()
    unknown = report["ENOSYS"] - unknown_by_themselves() - PAST_EVERY_FILTER
    # The table in syscalls.py also allows calls that are too new for this kernel or this container engine. Such calls end in
    # ENOSYS.
    assert unknown - {number for number in through if number > OLD_ENGINES_KNOW} == EVERY - KNOWN | {clone3()}
    assert report["SIGSYS"] == set()
    assert report["filters"] in (2, -1), "the container's filter and the child's own"


def test_the_zygote_gets_through_with_what_the_table_names_and_nothing_else(from_a_zygote: Report) -> None:
    report, through = from_a_zygote, allowed(zygote=True)
    old = {number for number in KNOWN if number <= OLD_ENGINES_KNOW}
    assert report["EPERM"] & old == old - through - {clone3()} | refused_by_the_kernel()
    assert report["ENOSYS"] & old - unknown_by_themselves() == {clone3()}
    assert report["EPERM"] | report["ENOSYS"] >= EVERY - old - through
    assert report["SIGSYS"] == set()
    assert report["filters"] in (1, -1), "the container's filter alone"


@pytest.mark.parametrize("who", ["from_a_candidate", "from_a_judge", "from_a_zygote"])
def test_calls_of_another_machine_end_the_process(who: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(who)
    if "i386" not in report:
        pytest.skip("this machine has no second kind of calls")
    assert report["x32"] == ["SIGSYS"]
    assert report["i386"] in ("SIGSYS", "SIGSEGV")  # a kernel without 32-bit support ends the process with SIGSEGV
