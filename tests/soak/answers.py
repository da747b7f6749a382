"""Provides the answers that the soak submits. Their correct verdicts are known, and judging them is so cheap that a soak can
submit thousands.

Some are the accepted and wrong answers in the folders of challenges. Others are hostile programs that have exactly one correct
verdict. A seed determines which answers are chosen. A comment makes each source unique, so that the service does not treat it
as a repeated submission.
"""

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.contract.job import Verdict
from tests.attacks.program import Program
from tests.wrong_answers import package_of

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests" / "attacks" / "package"
ATTENTION = "scaled-dot-product-attention"
# The verdicts of the answers to use, by challenge. Answers with TLE and MLE are left out because they use seconds of CPU time.
# The second challenge has far more tests than the first one, so fewer kinds of its answers are used.
CHEAP = {
    ATTENTION: (Verdict.AC, Verdict.WA, Verdict.RE, Verdict.CE, Verdict.RV),
    "multi-head-attention": (Verdict.AC, Verdict.CE, Verdict.RV),
}
EACH_VERDICT = 6
PROGRAMS = (
    "A05-patched-comparisons",
    "A08-exit-zero-in-a-call",
    "A10-skip",
    "A14-always-equal",
    "B06-garbage",
    "C01-frame-walk",
    "E01-lying-subclass",
    "H07-back-to-root",
)
SHARE_SLOW, SHARE_HOSTILE = 0.08, 0.12
# This source makes a right answer that mostly sleeps, so that there is time for a fault while the answer is judged.
SLOW = """
import time
{source}
_right = attention
def attention(q, k, v, mask=None):
    time.sleep(0.04)
    return _right(q, k, v, mask)
"""


@dataclass(frozen=True)
class Answer:
    """An answer to a challenge, and its only correct verdict."""

    name: str
    slug: str
    source: str
    verdict: Verdict

    def numbered(self, number: int) -> str:
        """Return the source with a comment that makes it unique."""
        return f"{self.source}\n# soak {number}\n"


def challenges_into(folder: Path) -> Path:
    """Copy the challenges of the repository into a folder, and also the challenges that the hostile programs attack."""
    shutil.copytree(ROOT / "challenges", folder)
    shutil.copytree(HOSTILE, folder, dirs_exist_ok=True)
    return folder


def slow_answer() -> Answer:
    """Return a right answer that takes a second or two and uses little CPU time."""
    return Answer("accepted, asleep", ATTENTION, SLOW.format(source=package_of(ATTENTION).reference), Verdict.AC)


def mix(seed: int, *, hostile: bool = True) -> Iterator[Answer]:
    """Yield random answers without end. The same seed gives the same sequence."""
    chance = random.Random(f"answers {seed}")
    known, programs, slow = _known(), _hostile(), slow_answer()
    while True:
        draw = chance.random()
        if draw < SHARE_SLOW:
            yield slow
        elif hostile and draw < SHARE_SLOW + SHARE_HOSTILE:
            yield chance.choice(programs)
        else:
            yield chance.choice(chance.choice(known))


def _known() -> list[list[Answer]]:
    """Return the answers of the challenges, in one list per challenge and verdict. `mix` chooses a list first and then an
    answer from it, so that verdicts with few answers are chosen as often as WA.
    """
    groups = []
    for slug, verdicts in CHEAP.items():
        answers = package_of(slug).answers
        for verdict in verdicts:
            chosen = [each for each in answers if each.verdict is verdict][:EACH_VERDICT]
            groups.append([Answer(f"{slug} {verdict}/{each.stem}", slug, each.source, verdict) for each in chosen])
    return groups


def _hostile() -> list[Answer]:
    found = []
    for name in PROGRAMS:
        program = Program.read(ROOT / "tests" / "attacks" / "programs" / f"{name}.py")
        (verdict,) = program.expected
        found.append(Answer(name, program.package, program.source, verdict))
    return found
