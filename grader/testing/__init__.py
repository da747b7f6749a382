"""This package is the testing kit, which the tests.py of a challenge imports. It is the only package of the grader whose
`__init__` re-exports names of its modules.
"""

from grader.testing.behaviour import (
    assert_deterministic,
    assert_ignores_mode,
    assert_mode_matters,
    assert_not_mutated,
    assert_state_dict_round_trip,
)
from grader.testing.comparison.checks import CheckFailed, check
from grader.testing.comparison.closeness import assert_close
from grader.testing.comparison.tolerance import tolerance
from grader.testing.derivatives.finite_differences import assert_gradcheck, assert_gradgradcheck
from grader.testing.derivatives.gradients import assert_same_gradients
from grader.testing.marks import attested, points, sample

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
