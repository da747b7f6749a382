"""Checks the audit that searches a cell for traces after a job. It must find traces of each kind, and none in a clean cell."""

from collections.abc import Callable
from typing import Any

import pytest

from grader.inside.zygote.audit import audit, take_baseline

Probe = Callable[..., dict[str, Any]]
FOUND = {
    "descriptor": ["descriptor not there before: 3 -> /etc/passwd"],
    "thread": ["the zygote has 2 threads"],
    "shared memory": ["1 shared writable mappings instead of 0"],
    "file": ["1 entries left in /tmp, the first is 'left'"],
    "unlinked file": ["/tmp is empty but uses 2 blocks and 2 inodes instead of 0 and 1", "process alive"],
    "system v": ["1 System V shm objects"],
}


@pytest.fixture(scope="module")
def report(in_cell: Probe) -> dict[str, list[str]]:
    return in_cell("dirt", profile="unconfined")  # our profile forbids System V objects, but the probe must create some


@pytest.mark.docker
def test_a_clean_cell_has_no_findings(report: dict[str, list[str]]) -> None:
    assert report["clean"] == []


@pytest.mark.docker
@pytest.mark.parametrize("kind", FOUND)
def test_each_kind_of_dirt_is_found_until_it_is_gone(kind: str, report: dict[str, list[str]]) -> None:
    found = ["process alive" if finding.startswith("process") else finding for finding in report[kind]]
    assert found == FOUND[kind]
    assert report[f"after {kind}"] == []


def test_a_descriptor_that_vanished_is_a_finding_too() -> None:
    baseline = take_baseline([])
    missing = type(baseline)(baseline.descriptors | {"999 -> pipe:[1]"}, baseline.shared_maps, baseline.used)
    assert "descriptor gone: 999 -> pipe:[1]" in audit(missing)
