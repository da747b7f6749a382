"""Calls an answer with tensors that lie in larger memory, and watches the launches of its kernels."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

Placed = tuple[Tensor, list[int], list[int], int]  # a room, and the shape, the strides and the offset of a view of it


def run(solution, name: str, inputs: list[Placed], out: Placed, *, hidden: bool = False, most: int = 0) -> dict:
    """Call `softmax` or `matmul` with views of rooms. Returns `out`, all rooms as they are afterwards, and the number of launches.

    With `hidden`, the inputs hold their values only while a kernel runs, and what is written to `out` counts only then. With
    `most`, a block of a kernel has at most that many elements.
    """
    rooms = [room for room, *_ in inputs]
    views = [room.as_strided(*view) for room, *view in inputs]
    result = out[0].as_strided(*out[1:])
    with launches(rooms, out[0], hidden=hidden) as count, largest_block(most):
        getattr(solution, name)(*views[:2], result, *views[2:])
    # copies: an argument that is returned itself counts as unchanged
    return {
        "out": result.clone(),
        "room": out[0].clone(),
        "inputs": [room.clone() for room in rooms],
        "launches": len(count),
    }


@contextmanager
def launches(inputs: list[Tensor], out: Tensor, *, hidden: bool) -> Iterator[list[int]]:
    """List the launches of kernels. With `hidden`, take the values of the inputs away between launches."""
    from triton.runtime.interpreter import GridExecutor

    launch, count = GridExecutor.__call__, []
    values, result = [room.clone() for room in inputs], out.clone()

    def hide() -> None:
        for room in (*inputs, out):
            room.fill_(0.5)

    def watched(self, *args, **kwargs) -> None:
        count.append(1)
        if not hidden:
            return launch(self, *args, **kwargs)
        for room, kept in zip((*inputs, out), (*values, result), strict=True):
            room.copy_(kept)
        try:
            launch(self, *args, **kwargs)
        finally:
            for room, kept in zip((*inputs, out), (*values, result), strict=True):
                kept.copy_(room)
            hide()

    if hidden:
        hide()
    GridExecutor.__call__ = watched
    try:
        yield count
    finally:
        GridExecutor.__call__ = launch
        if hidden:
            for room, kept in zip((*inputs, out), (*values, result), strict=True):
                room.copy_(kept)


@contextmanager
def largest_block(most: int) -> Iterator[None]:
    """Lower Triton's limit on the number of elements of a block to `most`, unless it is 0."""
    from triton import _utils

    limit = _utils.TRITON_MAX_TENSOR_NUMEL
    _utils.TRITON_MAX_TENSOR_NUMEL = most or limit
    try:
        yield
    finally:
        _utils.TRITON_MAX_TENSOR_NUMEL = limit
