"""Checks that the tests of a team's own challenge can do no harm, even if they search for other people's secrets, loop forever,
fork, or fill the memory.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from msgspec.structs import replace

from grader.content import package as packages
from grader.content.authoring import author_files
from grader.content.package import Lock, Package, load
from grader.contract.errors import GraderError
from grader.contract.job import Verdict
from grader.contract.transport import Proved
from grader.gate.team_run.run import GateRequest, prove
from grader.hosts.container_options import LABEL
from grader.judging.pool.judge_supervisor import TEAM_JUDGE
from grader.judging.workbench import Workbench, a_job, engine

PACKAGES = Path(__file__).parents[2] / "attacks" / "package"
MARK = "SECRET" + "-OF-THE-CATALOGUE"
SCAFFOLD_LEFT = "to write"
RUN_S = 120.0
LOOKS_AROUND = '''"""Looks for what others have here."""
import os
from pathlib import Path

from grader.testing import sample

WORD = "SECRET" + "-OF-THE-CATALOGUE"


PLACES = ("/tmp", "/dev/shm", "/run", "/etc", "/home", "/root", "/var", "/opt")


def readable():
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and process.name != str(os.getpid()):
            for name in ("mem", "environ", "maps", "cmdline", "stack"):
                yield process / name
    for place in PLACES:
        for root, _, names in os.walk(place):
            yield from (Path(root, name) for name in names)


@sample
def test_finds_nothing(solution):
    """Nothing of anybody else is in reach."""
    for path in readable():
        try:
            with open(path, "rb", buffering=0) as file:
                text = file.read(1 << 16) or b""
        except OSError:
            continue
        assert WORD.encode() not in text, path
'''
SPINS = "while True:\n    pass\n"
FORKS = """
import os

import pytest
from grader.testing import sample

for _ in range(100_000):
    if os.fork() == 0:
        while True:
            pass
"""
FILLS = "hoard = []\nwhile True:\n    hoard.append(bytearray(b'x' * (64 << 20)))\n"


def one_test(tests: str, digest: str) -> Package:
    """Return the package of the attack tests with the given text as its tests.py. The text must define a single test."""
    package = load(PACKAGES / "hostile" / "attention")
    lock = Lock((packages.TestSpec("test_finds_nothing", "Nothing of anybody else is in reach.", 1, sample=True),))
    return replace(package, digest=digest * 64, tests_source=tests, lock=lock)


@pytest.fixture
def apart(grader_image: str) -> Iterator[tuple[Workbench, str]]:
    """A workbench as the gate uses it for the challenges of teams, and the label of its containers. When the test has ended, no
    container with this label may exist.
    """
    label = f"hostile-author-{time.monotonic_ns()}"
    bench = Workbench(engine("docker", grader_image, label), slots=1, judge=TEAM_JUDGE)
    bench.start()
    try:
        yield bench, label
    finally:
        bench.close()
        assert (
            docker.from_env().containers.list(all=True, ignore_removed=True, filters={"label": f"{LABEL}={label}"})
            == []
        )


@pytest.mark.docker
def test_a_teams_tests_run_where_no_other_package_is(docker_bench: Workbench) -> None:
    catalogue = one_test(LOOKS_AROUND + f"\nKEPT = {MARK!r}\n", "a")
    assert docker_bench.judge(a_job(catalogue, catalogue.reference), catalogue).verdict in (Verdict.AC, Verdict.WA)
    team = one_test(LOOKS_AROUND, "b")
    job = replace(a_job(team, team.reference), team="tensor-people")
    judged = docker_bench.judge(job, team)
    assert judged.verdict is Verdict.AC, judged.tests
    slot = docker_bench._slots[0]
    assert slot._judges._team is not None
    first = slot._judges._team[1].get()
    assert first is not docker_bench.judge_container()
    assert docker_bench.judge(replace(job, id="2", token="2"), team).verdict is Verdict.AC
    assert slot._judges._team[1].get() is first
    other = replace(a_job(team, team.reference), team="other-people")
    assert docker_bench.judge(other, team).verdict is Verdict.AC
    assert slot._judges._team[1].get() is not first
    assert not first.host.alive()


@pytest.mark.docker
@pytest.mark.parametrize("tests", [SPINS, FORKS, FILLS], ids=["spins", "forks", "fills"])
def test_hostile_tests_end_the_gate_and_nothing_else(apart: tuple[Workbench, str], tests: str) -> None:
    bench, _ = apart
    files = {**author_files.scaffold("hostile", "function", "write"), "tests.py": tests}
    began = time.monotonic()
    outcome = outcome_of(bench, GateRequest("hostile", files))
    assert time.monotonic() - began < RUN_S
    assert isinstance(outcome, GraderError) or (not outcome.passed and outcome.report["findings"])
    honest = load(PACKAGES / "hostile" / "attention")
    assert bench.judge(a_job(honest, honest.reference), honest).verdict is Verdict.AC


def outcome_of(bench: Workbench, wish: GateRequest) -> Proved | GraderError:
    """Return the gate's result, or the error that prevented the gate from running."""
    try:
        return prove(bench, wish)
    except GraderError as error:
        return error


def test_what_is_sent_is_bounded() -> None:
    files = author_files.scaffold("small", "function", "write")
    assert author_files.upload_complaints(files) == []
    assert any(SCAFFOLD_LEFT in each.text for each in author_files.check_files("small", files).complaints)
    for name in ("../x.py", "/etc/passwd", "tests.lock", "submissions/accepted/../../x.py", "a\nb.py", "Ä.py"):
        assert author_files.upload_complaints({name: ""}), name
    assert author_files.upload_complaints({f"submissions/wa/w{n}.py": "" for n in range(61)})
    for toml in ("x = " + "[" * 100_000, "a." * 20_000 + "b = 1", "\N{CYRILLIC SMALL LETTER A} = 1"):
        assert author_files.check_files("small", {**files, "challenge.toml": toml}).complaints
