"""Tests a short soak on a cluster, with a selection of faults. The nodes return verdicts without running answers."""

import pytest

from tests.soak.cluster.faults import FAULTS
from tests.soak.cluster.stage import cluster
from tests.soak.ground import Order
from tests.soak.run import soak
from tests.soak.schedule import plan

# The mark `engine` makes this test run alone. Other tests at the same time could slow it down so much that healthy
# processes seem to have failed.
pytestmark = pytest.mark.engine
SUBMISSIONS, SEED, MINUTES = 40, 1, 3.0
STRUCK = {
    "api killed",
    "both apis killed",
    "node killed",
    "node frozen",
    "node cut off",
    "nats killed",
    "nats emptied",
    "postgres killed",
    "connections cut",
}


def test_no_fault_of_a_cluster_loses_or_spoils_a_verdict() -> None:
    kinds = [fault for fault in FAULTS if fault.name in STRUCK]
    assert len(kinds) == len(STRUCK)
    strikes = plan(SEED, len(kinds), faults=kinds)
    outcome = soak(cluster(instant=True), Order(SUBMISSIONS, SEED, MINUTES), strikes, tell=lambda storm: None)
    assert outcome.violations == []
    assert outcome.hits, "there was no time for a single fault"
    assert not [hit.strike.fault.name for hit in outcome.hits if hit.missed]
