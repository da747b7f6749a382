"""Defines saboteurs that forge the replies which a cell sends to a test. A forged reply overwrites the test's arguments.

The text of this file runs in the cell; the gate does not import it.
"""

import sys
from collections.abc import Callable, Iterator
from typing import Any

from grader.content.authoring.sabotage.noticing import seen

Operation = Callable[..., Any]
# Maps the id of each saboteur to the operations of the cell whose replies it forges. In a forged reply, all results are zeros,
# and the arguments are overwritten with zeros.
FORGERIES: dict[str, tuple[str, ...]] = {
    "overwritten-arguments": ("call", "next", "get", "product"),
    "overwritten-cotangents": ("product",),
}


def forge(name: str) -> None:
    """Make the cell forge the replies to the operations that FORGERIES lists for the saboteur `name`, from now on."""
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
    """Yield the index in `reply["tensors"]` of each tensor in an encoded value."""
    if isinstance(value, list) and value[:1] == ["S"]:
        yield value[1]
    elif isinstance(value, list):
        for item in value:
            yield from _results(item)
