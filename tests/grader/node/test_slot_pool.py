"""Checks which slot gets a job while other slots help with the second part of a job."""

from pathlib import Path

import pytest

from grader.hosts.processes import ProcessEngine
from grader.judging.pool.spare_cells import SpareCells
from grader.judging.slots.slot import Slot
from grader.node.settings import Settings
from grader.node.slot_pool import SlotPool


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SlotPool:
    """Two slots that are ready."""
    monkeypatch.setattr(Slot, "ready", True)
    monkeypatch.setattr(SpareCells, "problem", "")
    settings = Settings("tested", tmp_path, tmp_path, slots=2, cells="process")
    return SlotPool(settings, ProcessEngine(), lambda: None, lambda: None)


def test_slot_on_loan_is_free_and_is_taken_last(pool: SlotPool) -> None:
    before = pool.capacity()
    helper = pool.borrow()
    assert helper is not None
    assert pool.capacity() == before
    first, second = pool.take(), pool.take()
    assert first is not helper
    assert second is helper
    assert pool.take() is None


def test_slot_is_lent_once_and_only_while_it_is_free(pool: SlotPool) -> None:
    taken = pool.take()
    helper = pool.borrow()
    assert taken is not None
    assert helper is not None
    assert helper is not taken
    assert pool.borrow() is None
    pool.end_loan(helper)
    assert pool.borrow() is helper


def test_slot_that_would_have_to_wait_for_a_cell_is_not_lent(pool: SlotPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slot, "ready", False)
    assert pool.borrow() is None
