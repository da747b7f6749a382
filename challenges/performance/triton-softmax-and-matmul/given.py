"""Loads Triton in such a way that kernels run in its interpreter, with NumPy on the CPU. Also places tensors in larger memory."""

import os
import sys

import torch
from torch import Tensor

# Triton reads this variable when a kernel is decorated. Some of its own functions, such as `tl.max`, are kernels, too. So if
# torch has imported Triton already, it is imported again, except for its compiled part, which can be loaded only once.
os.environ["TRITON_INTERPRET"] = "1"
for name in [name for name in sys.modules if name.split(".")[0] == "triton" and name.split(".")[1:2] != ["_C"]]:
    del sys.modules[name]

try:
    import triton.language  # noqa: F401
except ImportError as error:
    raise ImportError(
        "this challenge needs Triton where answers and tests run: torch for CUDA brings it, `pip install triton` adds it"
    ) from error

# Kernels without masks access memory behind a tensor. So much of it belongs to the tensor's room.
BEFORE, BEHIND = 3, 160


def place(values: Tensor, layout: str, around: float) -> tuple[Tensor, Tensor]:
    """Return a room, which is a tensor in contiguous memory, and a view of it that holds `values`. All other elements of the
    room are `around`.

    The layouts of a matrix: "rows" (gaps between rows), "spread" (gaps between rows and columns), "transposed". Those of a
    vector: "rows" (no gaps), "spread".
    """
    step = 3 if layout == "spread" else 1
    if values.dim() == 1:
        room = torch.full((BEFORE + step * len(values) + BEHIND,), around, dtype=values.dtype)
        view = room[BEFORE : BEFORE + step * len(values) : step]
    else:
        down, across = values.T.shape if layout == "transposed" else values.shape
        room = torch.full((BEFORE + step * down + BEHIND, 5 + step * across + 4), around, dtype=values.dtype)
        view = room[BEFORE : BEFORE + step * down : step, 5 : 5 + step * across : step]
        view = view.T if layout == "transposed" else view
    view.copy_(values)
    return room, view


def placed(room: Tensor, view: Tensor) -> tuple[Tensor, list[int], list[int], int]:
    """Return a room and the geometry of a view of it."""
    return room, list(view.shape), list(view.stride()), view.storage_offset()
