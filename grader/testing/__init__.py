"""What a challenge's tests.py imports. The only barrel in the repository: it names the kit's surface, nothing else."""

from grader.testing.behaviour import (
    assert_deterministic,
    assert_ignores_mode,
    assert_mode_matters,
    assert_not_mutated,
    assert_state_dict_round_trip,
)
from grader.testing.checks import CheckFailed, check
from grader.testing.closeness import assert_close
from grader.testing.gradients import assert_same_gradients
from grader.testing.marks import attested, points, sample
from grader.testing.numerical import assert_gradcheck, assert_gradgradcheck
from grader.testing.tolerance import tolerance

__all__ = [
    "CheckFailed",
    "assert_close",
    "assert_deterministic",
    "assert_gradcheck",
    "assert_gradgradcheck",
    "assert_ignores_mode",
    "assert_mode_matters",
    "assert_not_mutated",
    "assert_same_gradients",
    "assert_state_dict_round_trip",
    "attested",
    "check",
    "points",
    "sample",
    "tolerance",
]
