"""Checks that each slot of a machine reserves a core of its own."""

import os
import subprocess
import sys
import uuid

import pytest

from grader.hosts import core_lock
from grader.hosts.core_lock import Core, reserve

ELSEWHERE = "from grader.hosts import core_lock; core_lock.ADDRESS = {!r}; print(core_lock.reserve() is not None)"


@pytest.fixture(autouse=True)
def address(monkeypatch: pytest.MonkeyPatch) -> str:
    """Addresses of this test only, so that it does not matter which cores other tests have reserved at the same time."""
    made = f"\0gradus-test-{uuid.uuid4().hex}-{{}}"
    monkeypatch.setattr(core_lock, "ADDRESS", made)
    return made


def reserve_all() -> list[Core]:
    return [core for _ in os.sched_getaffinity(0) if (core := reserve()) is not None]


def elsewhere(address: str) -> bool:
    """Return whether another process can reserve a core."""
    command = [sys.executable, "-c", ELSEWHERE.format(address)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True\n"


def test_each_core_is_reserved_once(address: str) -> None:
    held = reserve_all()
    assert {core.number for core in held} == os.sched_getaffinity(0)
    assert reserve() is None
    assert not elsewhere(address)
    for core in held:
        core.release()


def test_a_released_core_can_be_reserved_again(address: str) -> None:
    held = reserve_all()
    held[-1].release()
    assert elsewhere(address)
    again = reserve()  # the other process has ended, and so has its reservation
    assert again is not None
    assert again.number == held[-1].number
    for core in (*held[:-1], again):
        core.release()
