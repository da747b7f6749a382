"""Runs the soak in CI, with 200 submissions and each kind of fault once. This test runs alone, because it kills the Docker
engine.
"""

import pytest

from tests.soak.faults import FAULTS
from tests.soak.ground import Order
from tests.soak.run import soak
from tests.soak.schedule import plan
from tests.soak.stage import SUBMISSIONS_EACH, stage

pytestmark = [pytest.mark.docker, pytest.mark.engine]
SUBMISSIONS, SEED, MINUTES = 200, 1, 3.0


def test_no_fault_loses_or_spoils_a_verdict(grader_image: str) -> None:
    strikes = plan(SEED, SUBMISSIONS // SUBMISSIONS_EACH)
    assert {strike.fault for strike in strikes} == set(FAULTS)
    order = Order(SUBMISSIONS, SEED, MINUTES, grader_image)
    outcome = soak(stage(order), order, strikes, tell=lambda storm: None)
    assert outcome.violations == []
    assert outcome.hits, "there was no time for a single fault"
    assert not [hit.strike.fault.name for hit in outcome.hits if hit.missed]
