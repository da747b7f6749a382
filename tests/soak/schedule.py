"""Plans which faults happen, and when. The same options give the same plan, so that a failed run can be repeated."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.soak.faults import FAULTS, Fault

LONGEST_DELAY_S = 0.8


@dataclass(frozen=True)
class Strike:
    """A planned fault. It happens `delay_s` seconds after a node has begun to judge a submission."""

    number: int
    fault: Fault
    delay_s: float
    seed: str


def plan(
    seed: int,
    count: int,
    without: frozenset[str] = frozenset(),
    only: frozenset[str] = frozenset(),
    faults: Sequence[Fault] = FAULTS,
) -> list[Strike]:
    """Plan `count` faults. They come in rounds. Each round contains each kind of fault once, in random order. The last round
    may be incomplete.

    `without` and `only` select kinds by parts of their names. Raise ValueError if one of these words is in no name.
    """
    for word in without | only:
        if not any(word in fault.name for fault in faults):
            raise ValueError(f"no fault has {word!r} in its name: {', '.join(fault.name for fault in faults)}")
    kinds = [fault for fault in faults if not any(word in fault.name for word in without)]
    if only:
        kinds = [fault for fault in kinds if any(word in fault.name for word in only)]
    chance = random.Random(f"faults {seed}")
    strikes: list[Strike] = []
    while kinds and len(strikes) < count:
        for fault in chance.sample(kinds, len(kinds)):
            number = len(strikes) + 1
            strikes.append(Strike(number, fault, round(chance.uniform(0.0, LONGEST_DELAY_S), 2), f"{seed}/{number}"))
    return strikes[:count]
