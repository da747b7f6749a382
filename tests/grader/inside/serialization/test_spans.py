"""Checks that only the bytes that belong to arguments are sent. Views of one storage arrive as views of one storage, but the
bytes between the views are not sent. Returned bytes are written only to places from which bytes were sent.
"""

import json
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.inside.serialization.results import raw_bytes
from grader.inside.serialization.spans import StorageSpan
from grader.inside.serialization.tensors import ReceivedTensors, SentTensors, unpack_storages
from grader.inside.serialization.values import Blobs

FAST = settings(max_examples=400, deadline=None, database=None)
SIZE = 48


def arrived(tensors: list[torch.Tensor]) -> tuple[list[torch.Tensor], ReceivedTensors, SentTensors, bytes]:
    """Send tensors to a cell. Return the tensors that arrive, the objects that received and sent them, and the bytes that were
    sent.
    """
    blobs = Blobs()
    shipment = SentTensors(blobs)
    trees = json.loads(json.dumps([shipment.add(tensor) for tensor in tensors]))
    table = json.loads(json.dumps(shipment.pack()))
    blob = bytearray(b"".join(bytes(part) for part in blobs.parts))
    arrival = unpack_storages(blob, table, torch.device("cpu"))
    return [arrival.add(tree[1:]) for tree in trees], arrival, shipment, bytes(blob)


@st.composite
def views(draw: st.DrawFn) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Draw a storage without zero bytes, and one to three views of it. The views have several dtypes, can overlap, can be
    expanded, and can leave gaps.
    """
    raw = torch.arange(1, 8 * SIZE + 1, dtype=torch.int64).remainder(251).add(1).to(torch.uint8)
    found = []
    for _ in range(draw(st.integers(1, 3))):
        dtype = draw(st.sampled_from([torch.uint8, torch.int16, torch.float32, torch.float64]))
        count = raw.numel() // dtype.itemsize
        shape = draw(st.lists(st.integers(0, 3), min_size=0, max_size=3))
        strides = [draw(st.integers(0, 6)) for _ in shape]
        span = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if n)
        offset = draw(st.integers(0, count - 1 - span))
        found.append(raw.view(dtype).as_strided(shape, strides, offset))
    return raw, found


def touched(raw: torch.Tensor, found: list[torch.Tensor]) -> torch.Tensor:
    """Return a mask of the storage's bytes. It is true for the bytes that belong to an element of a view."""
    marks = torch.zeros(raw.numel(), dtype=torch.bool)
    for view in found:
        width = view.element_size()
        places = torch.arange(raw.numel() // width).as_strided(view.shape, view.stride(), view.storage_offset())
        for place in places.reshape(-1).tolist():
            marks[place * width : (place + 1) * width] = True
    return marks


@FAST
@given(views())
def test_what_is_touched_arrives_and_nothing_else(given: tuple[torch.Tensor, list[torch.Tensor]]) -> None:
    raw, found = given
    there, arrival, _, blob = arrived(found)
    marks = touched(raw, found)
    for mine, theirs in zip(found, there, strict=True):
        assert (mine.shape, mine.stride(), mine.storage_offset()) == (
            theirs.shape,
            theirs.stride(),
            theirs.storage_offset(),
        )
        assert bytes(raw_bytes(mine)) == bytes(raw_bytes(theirs))
    (storage,) = arrival.storages
    assert torch.equal(storage, torch.where(marks, raw, 0))
    assert sum(byte != 0 for byte in blob) == int(marks.sum())
    assert arrival.changed() == []


@FAST
@given(views())
def test_what_comes_back_is_written_where_something_was_sent(given: tuple[torch.Tensor, list[torch.Tensor]]) -> None:
    raw, found = given
    _, arrival, shipment, _ = arrived(found)
    marks, before = touched(raw, found), raw.clone()
    (memory,), (sent,) = shipment.storages, arrival.originals
    if memory.size:
        memory.write(bytearray(b"\xff" * len(sent)))
    assert torch.equal(raw, torch.where(marks, 255, before.int()).to(torch.uint8))


def test_views_of_one_storage_share_memory_in_the_cell() -> None:
    base = torch.arange(12.0).reshape(3, 4)
    (left, row), arrival, *_ = arrived([base[:, :2], base[1]])
    left.zero_()
    assert row.tolist() == [0.0, 0.0, 6.0, 7.0]
    assert arrival.changed() == [0]


@pytest.mark.parametrize("cut", [lambda x: x[:, :1], lambda x: x[:, :-1], lambda x: x[2], lambda x: x[::2]])
def test_a_slice_does_not_bring_its_neighbours(cut: Any) -> None:
    whole = torch.arange(1.0, 21.0, dtype=torch.float64).reshape(4, 5)
    mine = cut(whole)
    *_, blob = arrived([mine])
    kept = set(whole.reshape(-1).tolist()) - set(mine.reshape(-1).tolist())
    found = torch.frombuffer(bytearray(blob[: len(blob) // 8 * 8]), dtype=torch.float64).tolist()
    assert not kept & set(found)


def test_a_whole_storage_is_sent_as_it_lies() -> None:
    x = torch.arange(6.0)
    memory = StorageSpan(x.untyped_storage())
    memory.add(x)
    assert memory.placement(0, 24) == (0, 24)
    sent = memory.bytes()
    x[0] = 5.0
    assert bytes(sent) == bytes(raw_bytes(x))  # the bytes contain the later change of x, so no copy was made


def test_a_truth_value_comes_back_as_0_or_1() -> None:
    x = torch.tensor([True, False, True])
    memory = StorageSpan(x.untyped_storage())
    memory.add(x)
    memory.write(bytearray([7, 0, 255]))
    assert x.view(torch.uint8).tolist() == [1, 0, 1]
