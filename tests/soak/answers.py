"""What the soak sends: answers whose verdict without any fault is known, cheap enough to be judged by the thousand.

They are the challenges' own accepted and wrong answers (the folder is the verdict) and some hostile programs with one
right verdict. A seed picks them; each text is made unique by a comment, so that nothing is taken for a repetition.
"""

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.job import Verdict
from tests.attacks.program import Program

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = ROOT / "tests" / "attacks" / "package"
ATTENTION = "scaled-dot-product-attention"
# Not tle and mle: they spend seconds of processor time on purpose. The second challenge has far more tests.
CHEAP = {ATTENTION: ("accepted", "wa", "re", "ce", "rv"), "multi-head-attention": ("accepted", "ce", "rv")}
EACH_FOLDER = 6
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
# A right answer that is asleep most of its time: something to hit while it is judged.
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
    """A text for a challenge and the only verdict that is right for it."""

    name: str
    slug: str
    source: str
    verdict: Verdict

    def numbered(self, number: int) -> str:
        """The text as the number-th submission sends it."""
        return f"{self.source}\n# soak {number}\n"


def challenges_into(folder: Path) -> Path:
    """A folder of challenges that holds the real ones and the attacked one."""
    shutil.copytree(ROOT / "challenges", folder)
    shutil.copytree(HOSTILE, folder, dirs_exist_ok=True)
    return folder


def slow_answer() -> Answer:
    """Right, and judged for a second or two."""
    source = _read(_answers(ATTENTION) / "accepted" / "a-reference.py")
    return Answer("accepted, asleep", ATTENTION, SLOW.format(source=source), Verdict.AC)


def mix(seed: int, *, hostile: bool = True) -> Iterator[Answer]:
    """Answers without end, the same for the same seed."""
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
    """Cheap answers of the challenges, by slug and verdict, so that rare verdicts are not drowned by WA."""
    groups = []
    for slug, folders in CHEAP.items():
        for folder in folders:
            verdict = Verdict.AC if folder == "accepted" else Verdict(folder.upper())
            paths = sorted((_answers(slug) / folder).glob("*.py"))[:EACH_FOLDER]
            groups.append([Answer(f"{slug} {folder}/{path.stem}", slug, _read(path), verdict) for path in paths])
    return groups


def _hostile() -> list[Answer]:
    found = []
    for name in PROGRAMS:
        program = Program.read(ROOT / "tests" / "attacks" / "programs" / f"{name}.py")
        (verdict,) = program.expected
        found.append(Answer(name, program.package, program.source, verdict))
    return found


def _answers(slug: str) -> Path:
    (folder,) = ROOT.glob(f"challenges/*/{slug}/submissions")
    return folder


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
