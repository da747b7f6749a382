"""Encodes plain values as a JSON tree plus raw bytes. The grammar is the same in both directions, except for tensors.

    null true false 1 1.5 "text"                     themselves
    ["l", …] ["t", …] ["s", …] ["d", [k, v], …]      list, tuple, set, dict
    ["b", offset, size] ["c", re, im]                bytes, complex
    ["dt", name] ["dev", text] ["sz", …] ["sl", a, b, c] ["el"]   dtype, device, torch.Size, slice, Ellipsis
    [tag, …]                                         what the method `special` adds (tensors, handles)

Only exact types are encoded. A subclass of float, for example, is rejected with a message and never converted.
"""

from collections import Counter, OrderedDict
from typing import Any

import torch

from grader.contract.wire import Buffer, WireError

Tree = Any
MAX_DEPTH = 32
# Arguments may be nested deeper than results: a test may put a result into further containers and pass these on.
MAX_ARGUMENT_DEPTH = 100
MAX_NODES = 300_000
MAX_INT_BITS = 4096
MAX_ALIKE = 64
ALIGN = 64

DTYPES: dict[str, torch.dtype] = {
    name: getattr(torch, name)
    for name in (
        "float16 bfloat16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool "
        "float8_e4m3fn float8_e5m2"
    ).split()
}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_CONTAINERS: dict[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "s", torch.Size: "sz"}


class Unsupported(TypeError):
    """The value cannot be sent. `kind` is a fixed phrase that is safe to show; the message may name the value's type."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(detail or kind)
        self.kind = kind


class Blobs:
    """Buffers of one frame, each starting at a multiple of 64 bytes."""

    def __init__(self) -> None:
        self.parts: list[Buffer] = []
        self.size = 0

    def add(self, data: Buffer) -> tuple[int, int]:
        """Append a buffer and return its offset and size."""
        gap = -self.size % ALIGN
        if gap:
            self.parts.append(bytes(gap))
        offset = self.size + gap
        self.parts.append(data)
        self.size = offset + len(data)
        return offset, len(data)


class Encoder:
    """Encodes Python values as a tree. Every value except a plain scalar is first passed to the method `special`."""

    deepest = MAX_DEPTH

    def __init__(self, blobs: Blobs | None = None) -> None:
        self.blobs = blobs or Blobs()
        self._nodes = 0

    def special(self, value: Any) -> Tree:
        """Encode a value of a type outside the grammar, such as a tensor. Subclasses override this method. Returns
        NotImplemented if the value must be encoded by the grammar.
        """
        return NotImplemented

    def encode(self, value: Any, depth: int = 0) -> Tree:
        """Encode a value. Raises Unsupported for a type outside the grammar, and for too many levels or parts."""
        self._count(depth)
        kind = type(value)
        if value is None or kind is bool or kind is float or kind is str:
            return value
        if kind is int:
            return _checked_int(value)
        special = self.special(value)
        if special is not NotImplemented:
            return special
        if kind in _CONTAINERS:
            return [_CONTAINERS[kind], *(self.encode(item, depth + 1) for item in value)]
        if kind is dict or kind is OrderedDict:
            return ["d", *([self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items())]
        return self._leaf(value, kind, depth)

    def _leaf(self, value: Any, kind: type, depth: int) -> Tree:
        if kind is bytes or kind is bytearray:
            return ["b", *self.blobs.add(bytes(value))]
        if kind is complex:
            return ["c", value.real, value.imag]
        if kind is torch.dtype:
            return ["dt", str(value).removeprefix("torch.")]
        if kind is torch.device:
            return ["dev", str(value)]
        if kind is slice:
            return ["sl", *(self.encode(part, depth + 1) for part in (value.start, value.stop, value.step))]
        if value is Ellipsis:
            return ["el"]
        if kind.__module__ == "torch.return_types":
            return ["t", *(self.encode(item, depth + 1) for item in tuple(value))]
        raise unsupported(value)

    def _count(self, depth: int) -> None:
        self._nodes += 1
        if depth > self.deepest:
            raise Unsupported("a value nested too deeply", f"nested deeper than {self.deepest} levels")
        if self._nodes > MAX_NODES:
            raise Unsupported("a value with too many parts", f"more than {MAX_NODES:,} parts")


def unsupported(value: Any) -> Unsupported:
    """Create the error for a value of a type that cannot be sent, with a fixed phrase for the type."""
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    for base, phrase in ((torch.Tensor, "a subclass of torch.Tensor"), (torch.nn.Module, "a module")):
        if issubclass(kind, base):
            return Unsupported(phrase, f"{phrase} ({name})")
    if kind.__module__ == "numpy":
        return Unsupported("a NumPy value", f"a NumPy value ({name})")
    for builtin in (bool, int, float, str, list, tuple, dict):
        if issubclass(kind, builtin):
            return Unsupported(f"a subclass of {builtin.__name__}", f"a subclass of {builtin.__name__} ({name})")
    if callable(value) and kind.__name__ in ("function", "builtin_function_or_method", "method"):
        return Unsupported("a function")
    if kind.__name__ in ("generator", "coroutine"):
        return Unsupported(f"a {kind.__name__}")
    return Unsupported("an object of another type", f"an object of type {name}")


def _checked_int(value: int) -> int:
    if value.bit_length() > MAX_INT_BITS:
        raise Unsupported("an integer that is too large", f"an integer of {value.bit_length():,} bits")
    return value


class Decoder:
    """Decodes a tree into Python values. Checks everything, because the sender may be hostile."""

    deepest = MAX_DEPTH

    def __init__(self, blob: Buffer) -> None:
        self.blob = memoryview(blob)
        self._nodes = 0
        self._uncut = len(self.blob)

    def special(self, tag: str, rest: list[Any]) -> Any:
        """Decode a tag outside the grammar, such as the tag of a tensor. Subclasses override this method. Returns
        NotImplemented for an unknown tag.
        """
        return NotImplemented

    def decode(self, tree: Tree, depth: int = 0) -> Any:
        """Decode a tree. Raises WireError for anything outside the grammar."""
        self._count(depth)
        if not isinstance(tree, list):
            return _scalar(tree)
        if not tree or not isinstance(tree[0], str):
            raise WireError("a value without a tag")
        return self._tagged(tree[0], tree[1:], depth)

    def _count(self, depth: int) -> None:
        self._nodes += 1
        if depth > self.deepest or self._nodes > MAX_NODES:
            raise WireError("a value nested too deeply or with too many parts")

    def charge(self, size: int) -> None:
        """Count the bytes of one slice of the blob.

        Raises WireError once all slices together are larger than the blob. Slices of an honest sender do not overlap; if the
        same bytes could be sliced again and again, a small blob could fill the memory.
        """
        self._count(0)
        self._uncut -= size
        if self._uncut < 0:
            raise WireError("more bytes than were sent")

    def _tagged(self, tag: str, rest: list[Any], depth: int) -> Any:
        if tag in ("l", "t", "s"):
            items = [self.decode(item, depth + 1) for item in rest]
            return items if tag == "l" else tuple(items) if tag == "t" else _hashed(set, items)
        if tag == "d":
            return _hashed(dict, [self._pair(item, depth) for item in rest])
        special = self.special(tag, rest)
        return self._leaf(tag, rest, depth) if special is NotImplemented else special

    def _pair(self, item: Any, depth: int) -> tuple[Any, Any]:
        if not isinstance(item, list) or len(item) != 2:
            raise WireError("a dict entry that is not a pair")
        return self.decode(item[0], depth + 1), self.decode(item[1], depth + 1)

    def _leaf(self, tag: str, rest: list[Any], depth: int) -> Any:
        try:
            if tag == "b":
                return bytes(self.bytes_at(*rest))
            if tag == "c":
                return complex(*(float(part) for part in rest))
            if tag == "dt":
                return DTYPES[rest[0]]
            if tag == "dev":
                return torch.device(rest[0])
            if tag == "sz":
                return torch.Size(_int64(part) for part in rest)
            if tag == "sl":
                return slice(*(self.decode(part, depth + 1) for part in rest))
            if tag == "el":
                return Ellipsis
        except (TypeError, ValueError, KeyError, RuntimeError, IndexError, OverflowError) as error:
            raise WireError(f"a malformed {tag!r} value") from error
        raise WireError("a value with an unknown tag")

    def bytes_at(self, offset: Any, size: Any) -> memoryview:
        """Return a slice of the blob. Raises WireError if it is invalid."""
        if type(offset) is not int or type(size) is not int or offset < 0 or size < 0:
            raise WireError("a malformed slice of the blob")
        if offset + size > len(self.blob):
            raise WireError("a slice outside the blob")
        self.charge(size)
        return self.blob[offset : offset + size]


def _scalar(value: Any) -> Any:
    if isinstance(value, dict):
        raise WireError("a bare JSON object")
    if type(value) is int:
        try:
            return _checked_int(value)
        except Unsupported as error:
            raise WireError(str(error)) from None
    return value


def _int64(value: Any) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise WireError("a size that is no integer of 64 bits")
    return value


def _hashed(kind: type, items: list[Any]) -> Any:
    try:
        _check_hashes([pair[0] for pair in items] if kind is dict else items)
        return kind(items)
    except TypeError:
        raise WireError("a key that cannot be hashed") from None


def _check_hashes(keys: list[Any]) -> None:
    """Raise WireError if more than MAX_ALIKE keys have the same hash. Building a dict or set takes quadratic time if all keys
    have the same hash, and a hostile sender can choose such keys.
    """
    if len(keys) > MAX_ALIKE and max(Counter(map(hash, keys)).values()) > MAX_ALIKE:
        raise WireError("too many keys with the same hash")
