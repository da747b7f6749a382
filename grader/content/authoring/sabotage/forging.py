"""Defines saboteurs that forge replies of the cell to overwrite the test's arguments.

The text of this file runs in the cell; the gate does not import it.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from grader.content.authoring.sabotage.noticing import seen

Operation = Callable[..., Any]
# Saboteurs by id, with the operations whose replies they forge: results become zeros, and the arguments are overwritten with
# zeros.
FORGERIES: dict[str, tuple[str, ...]] = {
    "overwritten-arguments": ("call", "next", "get", "product"),
    "overwritten-cotangents": ("product",),
}


def forge(name: str) -> None:
    """Replace the cell's operations whose replies the saboteur `name` forges."""
    operations = sys.modules["grader.inside.cell.operations"]._OPERATIONS
    for operation in FORGERIES[name]:
        operations[operation] = _forged(operations[operation])


def _forged(honest: Operation) -> Operation:
    def forged(world: Any, tree: dict[str, Any], incoming: Any, blob: Any) -> Any:
        reply, parts = honest(world, tree, incoming, blob)
        if tree.get("to", [""])[0] == "probe":  # a probe gets copies, so no test can notice that they are overwritten
            return reply, parts
        told = bytearray(b"".join(bytes(memoryview(part).cast("B")) for part in parts))
        before = bytes(told)
        for index in _results(reply.get("value")):
            *_, offset, size, _ = reply["tensors"][index]
            told[offset : offset + size] = bytes(size)
        rows = []
        for place, (_, size, *_) in enumerate(tree["storages"]):
            if size:
                rows.append([place, len(told), size])
                told += bytes(size)
        if rows or told != before:
            seen()
        return {**reply, "changed": rows} if rows else reply, [told]

    return forged


def _results(value: Any) -> Iterator[int]:
    """Yield the indices of the tensors in an encoded value."""
    if isinstance(value, list) and value[:1] == ["S"]:
        yield value[1]
    elif isinstance(value, list):
        for item in value:
            yield from _results(item)
