"""What a soak sends to nodes that answer at once (tests/instant_node.py): the verdict stands in the answer."""

import random
from collections.abc import Iterator
from pathlib import Path

from grader.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE
from tests.soak.answers import Answer

SLUG = "add-one"
VERDICTS = (Verdict.AC, Verdict.WA, Verdict.RE, Verdict.TLE, Verdict.CE)
LONGEST_S, SLOW_S = 0.5, 1.5


def add_one_into(folder: Path) -> Path:
    """A folder of challenges with the one that they know."""
    write_challenge(folder)
    return folder


def told(seed: int) -> Iterator[Answer]:
    """Answers without end, the same for the same seed."""
    chance = random.Random(f"answers {seed}")
    while True:
        yield _answer(chance.choice(VERDICTS), round(chance.uniform(0.0, LONGEST_S), 2))


def told_slowly() -> Answer:
    """Right, and judged for a second or two."""
    return _answer(Verdict.AC, SLOW_S)


def _answer(verdict: Verdict, seconds: float) -> Answer:
    return Answer(f"{verdict} after {seconds:g} s", SLUG, f"{SOURCE}\n# verdict {verdict}\n# wait {seconds:g}", verdict)
