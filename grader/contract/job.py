"""Defines what a node is asked to judge (`Job`), and what it returns (`Judgement`).

The service and the node exchange these frozen structs as JSON. Nothing here imports torch, docker or a web framework.
"""

import secrets
from enum import StrEnum
from typing import Any

import msgspec

# The number of bits of a seed: as many as fit both torch.manual_seed and a signed 64-bit column of the database.
SEED_BITS = 63


def fresh_seed() -> int:
    """Create an unpredictable seed, for jobs that do not come from a service: jobs of the authoring gate, of tests and of local
    runs.
    """
    return secrets.randbits(SEED_BITS)


class Verdict(StrEnum):
    """The verdict on a submission, or on one of its tests. The README explains the abbreviations."""

    AC = "AC"
    WA = "WA"
    RE = "RE"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    CE = "CE"
    RV = "RV"
    JE = "JE"


class Kind(StrEnum):
    """`run` judges the sample tests, `submit` all tests. `scratch` returns what the candidate's own snippet prints. `compare`
    calls the answer and the reference with the candidate's own input.
    """

    RUN = "run"
    SUBMIT = "submit"
    SCRATCH = "scratch"
    COMPARE = "compare"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one job. CPU seconds are those of the reference machine (see `grader.judging.slots.machine_speed`). Idle
    time, in which no process of the cell runs or waits for a processor, is limited to three times the CPU limits.

    `output_kb` is how much printed output is kept per test. `calls` limits the calls to the answer, and `wire_mb` the MiB of
    values that the tests and the answer exchange in the whole job; `frame_mb` limits the values of one call or one reply.
    """

    cpu_s_per_call: float = 5.0
    cpu_s: float = 10.0
    memory_mb: int = 1024
    processes: int = 32
    output_kb: int = 64
    calls: int = 20_000
    frame_mb: int = 64
    wire_mb: int = 512
    loopback: bool = False

    @property
    def short(self) -> bool:
        """Whether the job may use slots that are reserved for short jobs. It may if its CPU limit is at most three seconds."""
        return self.cpu_s <= 3.0


class Job(msgspec.Struct, frozen=True):
    """Everything that a node needs for one attempt to judge a submission, except the package, which it finds by its digest.

    `token` identifies the attempt: a judgement is applied only if the submission's row still has this token. `owner` is an
    opaque key of the candidate's account or of their participation in an assessment. `seed`, which the service chooses,
    determines all inputs that hidden tests draw. `snippet` is the candidate's code that a scratch job runs after the source, or
    the input of a comparison. `team` is the team that owns the package, empty for packages of the catalogue; tests of different
    teams never share a judge.
    """

    id: str
    token: str
    kind: Kind
    slug: str
    digest: str
    source: str
    owner: str
    seed: int
    device: str = "cpu"
    snippet: str = ""
    team: str = ""


class Exhibit(msgspec.Struct, frozen=True):
    """A picture that a test drew, as data for a chart. `kind` is difference, curve, heatmap, gradients, operators or comparison.
    `data` is plain JSON.
    """

    title: str
    kind: str
    data: dict[str, Any]


class TestResult(msgspec.Struct, frozen=True):
    """The result of one test. `verdict` is AC, or the verdict that the submission would get if this were its only test.

    `message` is safe to show to the candidate. `line` is a 1-based line number in the candidate's source, or None. `stdout` is
    empty unless the test is a sample. The exhibits of a hidden test are never shown to the candidate, only to their team.
    """

    id: str
    title: str
    points: int
    sample: bool
    attested: bool
    verdict: Verdict
    seconds: float
    message: str = ""
    line: int | None = None
    stdout: str = ""
    exhibits: tuple[Exhibit, ...] = ()


class CompileError(msgspec.Struct, frozen=True):
    """Says what is wrong with a source that does not compile, and where: 1-based line and column, and the text of the line."""

    message: str
    line: int | None = None
    column: int | None = None
    text: str = ""


class Judgement(msgspec.Struct, frozen=True):
    """The result that a node returns for a job. `verdict` is None only for a scratch job that ran to its end."""

    job_id: str
    token: str
    verdict: Verdict | None
    score: int
    max_score: int
    tests: tuple[TestResult, ...]
    seed: int
    digest: str
    cpu_s: float
    wall_s: float
    memory_mb: float
    message: str = ""
    compile_error: CompileError | None = None
    output: str = ""
    output_truncated: bool = False
    environment: dict[str, str] = msgspec.field(default_factory=dict)
