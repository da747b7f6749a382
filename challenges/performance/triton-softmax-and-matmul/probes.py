"""Calls an answer with tensors that lie in larger memory, and watches the launches of its kernels."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

Placed = tuple[Tensor, list[int], list[int], int]  # a room, and the shape, the strides and the offset of a view of it


# What the interpreter does with the tensors of a launch: it copies their memory to the CPU and back.
OF_THE_INTERPRETER = {"new_empty", "empty", "set_", "copy_", "_to_copy", "resize_"}


class Operators(TorchDispatchMode):
    """Collects the names of operators of torch, except those of Triton's interpreter."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.add(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


class Launches:
    """How many kernels were launched, and which operators of torch ran inside them."""

    def __init__(self) -> None:
        self.count, self.operators = 0, Operators()


def run(solution, name: str, inputs: list[Placed], out: Placed, *, hidden: bool = False, most: int = 0) -> dict:
    """Call `softmax` or `matmul` with views of rooms. Returns `out`, all rooms as they are afterwards, the number of launches,
    and the operators of torch that ran inside of kernels.

    With `hidden`, the inputs hold their values only while a kernel runs, and what is written to `out` counts only then. With
    `most`, a block of a kernel has at most that many elements.
    """
    rooms = [room for room, *_ in inputs]
    views = [room.as_strided(*view) for room, *view in inputs]
    result = out[0].as_strided(*out[1:])
    with watched_launches(rooms, out[0], hidden=hidden) as launches, largest_block(most):
        getattr(solution, name)(*views[:2], result, *views[2:])
    # copies: an argument that is returned itself counts as unchanged
    return {
        "out": result.clone(),
        "room": out[0].clone(),
        "inputs": [room.clone() for room in rooms],
        "launches": launches.count,
        "operators": sorted(launches.operators.names - OF_THE_INTERPRETER),
    }


@contextmanager
def watched_launches(inputs: list[Tensor], out: Tensor, *, hidden: bool) -> Iterator[Launches]:
    """Count the launches of kernels. With `hidden`, take the values of the inputs away between launches."""
    from triton.runtime.interpreter import GridExecutor

    launch, seen = GridExecutor.__call__, Launches()
    rooms = [*inputs, out]
    values = [room.clone() for room in rooms]

    def hide() -> None:
        for room, kept in zip(rooms, values, strict=True):
            kept.copy_(room)
            room.fill_(0.5)

    def show() -> None:
        for room, kept in zip(rooms, values, strict=True):
            room.copy_(kept)

    def watched(self, *args, **kwargs) -> None:
        seen.count += 1
        if not hidden:
            return launch(self, *args, **kwargs)
        show()
        try:
            with seen.operators:
                launch(self, *args, **kwargs)
        finally:
            hide()

    if hidden:
        hide()
    GridExecutor.__call__ = watched
    try:
        yield seen
    finally:
        GridExecutor.__call__ = launch
        if hidden:
            show()


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
