"""Checks the simulation against queueing theory, in cases for which theory has a formula."""

import random
from math import factorial

import pytest

from tests.bench.simulation import Load, Simulation, Way, calibrated


def mean_wait_s(servers: int, arrivals: float, judging_s: float) -> float:
    """Return the mean waiting time in an M/M/c queue (Erlang C formula)."""
    load = arrivals * judging_s
    queued = load**servers / factorial(servers) * servers / (servers - load)
    waits = queued / (sum(load**k / factorial(k) for k in range(servers)) + queued)
    return waits / (servers / judging_s - arrivals)


@pytest.mark.parametrize(("nodes", "slots", "load"), [(1, 1, 0.5), (1, 4, 0.8), (4, 1, 0.8), (2, 3, 0.7)])
def test_with_a_way_that_costs_nothing_it_is_m_m_c(nodes: int, slots: int, load: float) -> None:
    random.seed(4)
    judging_s, servers = 0.2, nodes * slots
    arrivals = load * servers / judging_s
    of = Load(nodes, slots, lambda: random.expovariate(1 / judging_s), lambda: random.expovariate(arrivals))
    seen = Simulation(Way(0.0, 0.0, 0.0, cores=2), of).run(60_000 / arrivals, warm_up_s=100.0)
    assert seen.per_second == pytest.approx(arrivals, rel=0.03)
    assert seen.wait_s == pytest.approx(mean_wait_s(servers, arrivals, judging_s), rel=0.12)


def test_few_nodes_deliver_what_their_slots_can_and_many_what_the_way_can() -> None:
    random.seed(4)
    way = Way(transaction_s=0.001, judging_s=0.0004, wire_s=0.001, cores=2)
    few = Simulation(way, Load(5, 4, lambda: 0.2)).run(20.0, warm_up_s=5.0)
    assert few.per_second == pytest.approx(5 * 4 / 0.2, rel=0.05)
    assert few.way_s < 20.0 * way.cores / 2
    many = Simulation(way, Load(400, 4, lambda: 0.2)).run(20.0, warm_up_s=5.0)
    assert many.way_s == pytest.approx(20.0 * way.cores, rel=0.02)
    # The upper limit is not reached, because each transaction has a fixed cost and can contain only a limited number of
    # judgings.
    assert 0.5 * way.most_per_second < many.per_second < way.most_per_second


def test_costs_come_out_of_two_measurements() -> None:
    def figures(transactions: float) -> dict[str, object]:
        spent = 0.6 + 0.5 * transactions
        return {"transactions": transactions, "processor_ms": {"service": spent - 0.3, "nats": 0.1, "postgresql": 0.2}}

    way = calibrated(figures(3.0), figures(0.4), 2.0, cores=2)
    assert way.transaction_s == pytest.approx(0.0005)
    assert way.judging_s * 2 == pytest.approx(0.0006)
    assert way.wire_s == 0.002
