"""Checks what a reply reports about changed arguments, and applies the changes if the request allows them.

An effect is one kind of change, such as `grads`. It consists of rows, each of which changes one target. No two rows of an
effect may have the same target, and no two rows may use the same tensor of the reply. Otherwise a small reply that repeats rows
could keep the judge busy for minutes.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import torch

from grader.contract.wire import WireError
from grader.inside.serialization import generators, parameters
from grader.inside.serialization.givens import named_tensor
from grader.inside.serialization.values import MAX_DEPTH
from grader.testing.comparison import strictness

if TYPE_CHECKING:
    from grader.inside.judge.remote.replies import Reply

EFFECTS = frozenset("changed bumped touched rewritten replaced flags grads containers states givens generators".split())
_WRITTEN = ("changed", "touched", "rewritten", "replaced", "flags", "grads", "containers")


def index_in(index: Any, table: list[Any]) -> int:
    """Return `index` if it is valid for `table`, otherwise raise WireError."""
    if type(index) is not int or not 0 <= index < len(table):
        raise WireError("an index out of range")
    return index


def require_distinct(names: Iterable[Any]) -> None:
    """Raise WireError if a name or number occurs twice."""
    seen = set()
    for name in names:
        if name in seen:
            raise WireError("a row that is there twice")
        seen.add(name)


def _rows(reply: "Reply", key: str, table: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Yield, for each row of the effect `key`, the object of `table` that the row changes, and the rest of the row."""
    rows = [row if isinstance(row, list) else [row] for row in reply.tree.get(key, [])]
    require_distinct(row[0] for row in rows)
    for index, *rest in rows:
        yield table[index_in(index, table)], rest


def write_memory(reply: "Reply") -> None:
    """Write the bytes that the answer has changed into the memory of the test's arguments. Increases the version counters of
    changed tensors.
    """
    shipment = reply.request.shipment
    with torch.no_grad():
        for memory, (offset, size) in _rows(reply, "changed", shipment.storages):
            memory.write(_sized(reply, offset, size, memory.size))
        # Versions are reported apart from the bytes: writing to `x.data` changes bytes but not the version, and `x.mul_(1)`
        # changes the version but no bytes.
        bumped = [tensor for tensor, _ in _rows(reply, "bumped", shipment.tensors)]
        torch.autograd.graph.increment_version([t for t in bumped if not t.is_inference()])
        for tensor, (offset, size) in _rows(reply, "touched", shipment.tensors):
            raw = _sized(reply, offset, size, tensor.numel() * tensor.element_size())
            tensor.copy_(torch.frombuffer(raw, dtype=torch.uint8).clone().view(tensor.dtype).reshape(tensor.shape))


def _sized(reply: "Reply", offset: int, size: int, expected: int) -> memoryview:
    if size != expected or not size:
        raise WireError("a changed argument of another size")
    return reply.decoder.bytes_at(offset, size)


def write_leaves(reply: "Reply") -> None:
    """Repeat here what the answer changed in the cell: `requires_grad` of its arguments, and the modules of given.py. Call this
    before the graph is attached, because the graph depends on these changes.
    """
    request = reply.request
    if not request.comes_back:
        return
    for argument, (flag,) in _rows(reply, "flags", request.shipment.tensors):
        argument.requires_grad_(bool(flag))
    for module, (training, rows) in _givens(reply):
        module.train(bool(training))
        require_distinct(name for name, _ in rows)
        for name, found in rows:
            parameters.apply(named_tensor(module, name), changes(reply, found))


def _givens(reply: "Reply") -> Iterator[tuple[torch.nn.Module, list[Any]]]:
    """Yield each changed module of given.py with the rest of its row. A reply numbers these modules -1, -2, …"""
    rows, table = reply.tree.get("givens", []), reply.request.givens
    require_distinct(owner for owner, *_ in rows)
    for owner, *rest in rows:
        yield table[index_in(-1 - owner, table)], rest


def write_arguments(reply: "Reply") -> None:
    """Apply changes to random number generators, gradients, lists and dicts, the states of objects of given.py, and tensors
    that were replaced. Call this after the graph is attached to the tensors.
    """
    request, tree, decoder = reply.request, reply.tree, reply.decoder
    places = tree.get("generators", [])
    if len(places) > len(request.generators):
        raise WireError("more generators than were sent")
    for generator, place in zip(request.generators, places, strict=False):
        generators.set_state(generator, decoder.bytes_at(*place))
    if not request.comes_back:
        return
    arguments = request.shipment.tensors
    for argument, (value,) in _rows(reply, "replaced", arguments):
        _replace(argument, reply.taken(value))
    for argument, (grad,) in _rows(reply, "grads", arguments):
        argument.grad = reply.taken(grad)
    contents = [(container, items) for container, (items,) in _rows(reply, "containers", request.containers)]
    _refill([(container, [decoder.decode(item) for item in items]) for container, items in contents])
    for value, (state,) in _rows(reply, "states", request.givens):
        value.load_state_dict(decoder.decode(state))


def was_changed(reply: "Reply") -> bool:
    """Return whether the answer wrote to an argument: to its memory, graph, .grad or requires_grad, to the items of a list or
    dict, or to parameters.

    Changes to buffers of modules of given.py do not count, because any forward pass may change buffers. If the answer
    overwrites a tensor with the values that it already has, this counts only within `assert_not_mutated`.
    """
    effects = (*_WRITTEN, "bumped") if strictness.strict() else _WRITTEN
    return any(reply.tree.get(what) for what in effects) or any(
        _moved(module, training, rows) for module, (training, rows) in _givens(reply)
    )


def _moved(module: torch.nn.Module, training: bool, rows: list[Any]) -> bool:
    names = dict(module.named_parameters())
    return training is not module.training or any(name in names for name, _ in rows)


def changes(reply: "Reply", found: Any) -> parameters.Changes:
    """Return the changes of one row, with each reference replaced by the tensor of the reply. Raises WireError if the row is
    malformed.
    """
    if not isinstance(found, dict):
        raise WireError("a malformed row")
    known = [key for key in ("v", "q", "r", "g", "n") if key in found]
    return {key: reply.taken(found[key]) if key in parameters.TENSORS else bool(found[key]) for key in known}


def _replace(argument: torch.Tensor, value: torch.Tensor | None) -> None:
    if value is None or argument.is_inference():
        raise WireError("an argument that cannot be replaced")
    argument.data = value


def _refill(chosen: list[tuple[Any, list[Any]]]) -> None:
    """Give lists and dicts their new contents. If one of them would contain itself, raises WireError and changes none."""
    inner, heights = {id(container): items for container, items in chosen}, dict[int, int]()
    for container, _ in chosen:
        _height(container, inner, heights)
    made = [items if isinstance(of, list) else dict(zip(items[::2], items[1::2], strict=True)) for of, items in chosen]
    for (container, _), now in zip(chosen, made, strict=True):
        container.clear()
        container.extend(now) if isinstance(container, list) else container.update(now)


def _parts(value: list[Any] | tuple[Any, ...] | dict[Any, Any] | slice) -> Iterable[Any]:
    """Return the objects that a value directly contains. A slice can contain any object, even a list with the slice in it."""
    if isinstance(value, slice):
        return (value.start, value.stop, value.step)
    return [*value.keys(), *value.values()] if isinstance(value, dict) else value


def _height(value: Any, contents: dict[int, list[Any]], known: dict[int, int]) -> int:
    """Return the nesting depth that a value has once all lists and dicts have their new contents."""
    if not isinstance(value, list | tuple | dict | slice):
        return 0
    if id(value) not in known:
        known[id(value)] = MAX_DEPTH  # set during the visit, so that a value that contains itself counts as too deep
        inner = contents.get(id(value), _parts(value))
        known[id(value)] = 1 + max((_height(item, contents, known) for item in inner), default=0)
    if known[id(value)] > MAX_DEPTH:
        raise WireError("a list or dict that contains itself, or is nested too deeply")
    return known[id(value)]
