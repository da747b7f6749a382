"""Provides answers that name their verdict in a comment. The nodes of tests/instant_node.py return this verdict without
running the answer.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from grader.contract.job import Verdict
from tests.api.challenge_folders import write_challenge
from tests.api.running_service import SOURCE
from tests.soak.answers import Answer

SLUG = "add-one"
VERDICTS = (Verdict.AC, Verdict.WA, Verdict.RE, Verdict.TLE, Verdict.CE)
LONGEST_S, SLOW_S = 0.5, 1.5


def add_one_into(folder: Path) -> Path:
    """Write the only challenge that these answers are for into a folder. Return the folder."""
    write_challenge(folder)
    return folder


def told(seed: int) -> Iterator[Answer]:
    """Yield random answers without end. The same seed gives the same sequence."""
    chance = random.Random(f"answers {seed}")
    while True:
        yield _answer(chance.choice(VERDICTS), round(chance.uniform(0.0, LONGEST_S), 2))


def told_slowly() -> Answer:
    """Return a right answer that takes a second or two."""
    return _answer(Verdict.AC, SLOW_S)


def _answer(verdict: Verdict, seconds: float) -> Answer:
    return Answer(f"{verdict} after {seconds:g} s", SLUG, f"{SOURCE}\n# verdict {verdict}\n# wait {seconds:g}", verdict)
