"""The records that cross borders: what a node is asked to judge and what it hands back.

Frozen, plain, and readable as JSON by `msgspec` on both sides; nothing here imports torch, docker or the web.
"""

from enum import StrEnum
from typing import Any

import msgspec


class Verdict(StrEnum):
    """What a judging says about a submission."""

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
    """`run` judges the samples, `submit` everything, `scratch` shows what the candidate's own snippet prints."""

    RUN = "run"
    SUBMIT = "submit"
    SCRATCH = "scratch"


class Policy(StrEnum):
    """Who may use a cell after this job: nobody, the same owner, anybody."""

    SUBMISSION = "submission"
    ACCOUNT = "account"
    SHARED = "shared"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ceilings of one judging. CPU seconds are read from the cell's cgroup; wall limits are three times as long."""

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
        """Jobs of at most three CPU seconds may use the slot that is kept for short ones."""
        return self.cpu_s <= 3.0


class Job(msgspec.Struct, frozen=True):
    """Everything a node needs for one judging, except the package, which it has by digest.

    `token` names the attempt: a judgement is applied only while the token is still the row's.
    `owner` is an opaque key of the account or participation; a cell of policy `account` never serves another.
    `seed` is None for a fresh draw from the package's proven pool, or the seed of an earlier judging (rejudge).
    `snippet` is run after the source in a scratch job. `team` is whose own package it is, empty for the catalogue's: tests of
    different teams never meet in one judge.
    """

    id: str
    token: str
    kind: Kind
    slug: str
    digest: str
    source: str
    owner: str
    device: str = "cpu"
    policy: Policy = Policy.SHARED
    seed: int | None = None
    snippet: str = ""
    team: str = ""


class Exhibit(msgspec.Struct, frozen=True):
    """Picture data of a test: `kind` is difference, curve, heatmap, gradients or operators; `data` is plain JSON."""

    title: str
    kind: str
    data: dict[str, Any]


class TestResult(msgspec.Struct, frozen=True):
    """How one declared test ended. `verdict` is AC, or the verdict this test alone would give.

    `message` is safe to show to the candidate; `line` is a line of the candidate's own source, 1-based, or None.
    `stdout` and `exhibits` are empty unless the test is a sample (exhibits of hidden tests are for reports).
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
    """Where the source does not compile: 1-based line and column, the line's text, and one sentence."""

    message: str
    line: int | None = None
    column: int | None = None
    text: str = ""


class Judgement(msgspec.Struct, frozen=True):
    """What a node hands back for a job. `verdict` is None only for a scratch job that ended by itself."""

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
