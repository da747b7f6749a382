"""Checks how a real node answers requests to measure. The test acts as the service."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.content.package import Package, load
from grader.contract import transport
from grader.contract.job import Verdict
from grader.contract.measurement import ChainSize, Measure, Measured, MeasurementPlan, Measuring, Quantity
from grader.judging.workbench import a_job
from tests.attacks.test_measuring import CHAIN
from tests.grader.node.test_node import PACKAGES, Service, ready

pytestmark = pytest.mark.docker
SIZES = (ChainSize(32, 10, 0, 1), ChainSize(64, 20, 0, 1))


@pytest.fixture
def package() -> Package:
    return load(PACKAGES / "hostile" / "attention")


@pytest.fixture
def service(tmp_path: Path, grader_image: str) -> Iterator[Service]:
    started = Service(tmp_path, grader_image)
    yield started
    started.close()


def asked(package: Package, budget_s: float = 0.0) -> Measure:
    name, token = uuid.uuid4().hex, uuid.uuid4().hex
    # With a precision of 0, a measurement ends when its budget is spent.
    plan = MeasurementPlan(Quantity.SPEED, CHAIN, package.reference, SIZES, precision=0.0, budget_s=budget_s)
    return Measure(name, token, package.slug, package.digest, "", package.reference, 5, plan)


def test_a_node_measures_and_judges_in_between(service: Service, package: Package) -> None:
    hello = service.next()
    assert isinstance(hello, transport.Hello)
    assert hello.measures
    ready(service)
    endless, job = asked(package, budget_s=1e6), a_job(package, package.reference)
    service.say(endless)
    progress = service.until(Measuring)
    assert (progress.id, progress.token) == (endless.id, endless.token)
    service.say(transport.Offer(job, short=False))
    judged = service.until(transport.Judged, transport.Fault, transport.Refused, Measured)
    assert isinstance(judged, transport.Judged)
    assert judged.judgement.verdict is Verdict.AC
    second = asked(package)
    service.say(second)
    assert service.until(Measured).fault.startswith("busy")
    service.say(transport.Cancel(endless.id, endless.token))
    assert service.until(Measured) == Measured(endless.id, endless.token, fault="cancelled")
    service.say(second)
    end = service.until(Measured)
    assert end.token == second.token
    assert end.measurement is not None, end
    assert end.measurement.pairs == 3


def test_a_draining_node_ends_its_measurement_and_leaves_no_container(service: Service, package: Package) -> None:
    ready(service)
    endless = asked(package, budget_s=1e6)
    service.say(endless)
    service.until(Measuring)
    service.say(transport.Drain())
    assert service.until(Measured) == Measured(endless.id, endless.token, fault="the node is ending")
    assert service.process.wait(60) == 0
    assert service.containers() == []
