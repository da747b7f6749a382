"""Collects the memory that is sent with the arguments of one request. Of each storage, only the bytes that arguments cover are
sent.

For a slice, only its own elements are sent: if a test splits one tensor into inputs and labels, the labels stay in the judge.
The size of the storage and the position of the sent bytes in it are sent too, so strides, offsets and shared memory arrive
unchanged. Bytes that no argument covers are zeros in the cell.
"""

import torch

from grader.contract.wire import Buffer, WireError

# Maps an element size in bytes to the dtype that is used to copy elements of this size, so that no bit changes.
_RAW = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}
_LARGEST = 16
View = tuple[int, list[int], list[int], int, bool]
Placement = tuple[int, int] | tuple[int, int, int, int]


class StorageSpan:
    """One storage, and the parts of it that arguments cover."""

    def __init__(self, storage: torch.UntypedStorage) -> None:
        self._storage = storage
        self._views: list[View] = []
        self._first, self._last = storage.nbytes(), 0
        self._dense: list[tuple[int, int]] = []

    def add(self, tensor: torch.Tensor) -> None:
        """Add an argument whose elements lie in this storage."""
        if not tensor.numel():
            return
        size, width = list(tensor.shape), tensor.element_size()
        step = list(tensor.stride())
        self._views.append((width, size, step, int(tensor.storage_offset()), tensor.dtype is torch.bool))
        first = int(tensor.storage_offset()) * width
        last = first + (1 + sum((n - 1) * s for n, s in zip(size, step, strict=True))) * width
        self._first, self._last = min(self._first, first), max(self._last, last)
        if tensor.is_contiguous() or _is_dense(size, step):
            self._dense.append((first, last))

    @property
    def size(self) -> int:
        """The size of the span in bytes, from the first covered byte to the last."""
        return max(0, self._last - self._first)

    def whole(self) -> bool:
        """Return whether dense tensors cover every byte of the storage."""
        return self._covered() and self.size == self._storage.nbytes()

    def _covered(self) -> bool:
        """Return whether dense tensors cover every byte of the span."""
        reached = self._first
        for first, last in sorted(self._dense):
            if first > reached:
                return False
            reached = max(reached, last)
        return reached >= self._last

    def placement(self, offset: int, size: int) -> Placement:
        """Return the storage's row in the request's table: offset and size in the frame. If only a part of the storage is sent,
        the row also contains the position where that part begins, and the size of the storage.
        """
        return (offset, size) if self.whole() else (offset, size, min(self._first, self._last), self._storage.nbytes())

    def bytes(self) -> Buffer:
        """Return the bytes of the span, with zeros where no argument covers them."""
        mine = torch.empty(0, dtype=torch.uint8).set_(self._storage)
        if not self.size:
            return b""
        if self._covered():
            return mine[self._first : self._last].numpy().data
        made, start = self._frame()
        for view in self._views:
            _raw(made.untyped_storage(), view, start).copy_(_raw(self._storage, view))
        return made[self._first - start :].numpy().data

    def write(self, data: Buffer) -> None:
        """Write the covered bytes into the storage, and no others. `data` holds the bytes of the whole span; raises WireError
        if its size is different.
        """
        if len(data) != self.size or not self.size:
            raise WireError("a changed argument of another size")
        made, start = self._frame()
        made[self._first - start :] = torch.frombuffer(data, dtype=torch.uint8)
        for view in self._views:
            mine = _raw(self._storage, view)
            mine.copy_(_raw(made.untyped_storage(), view, start))
            if view[-1]:  # a bool stored as a byte other than 0 or 1 would be True for some operators only
                mine.copy_(mine != 0)

    def _frame(self) -> tuple[torch.Tensor, int]:
        """Allocate a buffer of zeros for the span. Returns the buffer, and the position in the storage that corresponds to its
        first byte.

        That position is a multiple of _LARGEST, at or before the start of the span, so that every view is aligned.
        """
        start = self._first // _LARGEST * _LARGEST
        return torch.zeros(self._last - start, dtype=torch.uint8), start


def _is_dense(size: list[int], step: list[int]) -> bool:
    """Return whether elements with these sizes and strides fill their memory without gaps, in any order of the dimensions."""
    expected = 1
    for one, n in sorted((s, n) for s, n in zip(step, size, strict=True) if n > 1):
        if one != expected:
            return False
        expected *= n
    return True


def _raw(storage: torch.UntypedStorage, view: View, start: int = 0) -> torch.Tensor:
    """Return the elements of a view as a tensor of the dtype that _RAW lists for their size. A dimension with stride 0 repeats
    one element, which is returned once.
    """
    width, size, step, offset, _ = view
    once = [1 if s == 0 else n for n, s in zip(size, step, strict=True)]
    return torch.empty(0, dtype=_RAW[width]).set_(storage, offset - start // width, once, step)
