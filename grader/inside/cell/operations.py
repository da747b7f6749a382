"""Defines the operations that the judge can request from a cell: call, product, buffers, get and next. All other requests
are rejected.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from grader.contract.wire import Buffer
from grader.inside.cell.arguments import CallArguments, CellState, decode_arguments, run_in_context
from grader.inside.cell.effects import (
    ResultEncoder,
    after,
    contents,
    graph_inputs,
    refused,
    rewritten,
)
from grader.inside.cell.graphs import ProductOptions
from grader.inside.cell.observe import observe_backward, observe_forward
from grader.inside.serialization.failures import describe
from grader.inside.serialization.values import Encoder, Tree, Unsupported

MODULE_METHODS = frozenset("state_dict load_state_dict train eval zero_grad to requires_grad_".split())
Reply = tuple[dict[str, Any], list[Buffer]]


def perform(world: CellState, tree: dict[str, Any], blob: Buffer) -> Reply:
    """Carry out one operation and return the reply. If the answer raises an exception, the reply contains it."""
    world.records.release(tree.get("release", []))
    for number in tree.get("forget", []):
        world.forget(number)
    try:
        incoming = decode_arguments(world, blob, tree)
        reply, blobs = _OPERATIONS[tree["op"]](world, tree, incoming, blob)
    except Unsupported as error:
        reply, blobs = refused(error), []
    except BaseException as error:
        reply, blobs = {"ok": False, "error": describe(error)}, []
    dropped, world.dropped = world.dropped, []
    return {**reply, "dropped": dropped} if dropped else reply, blobs


def _call(world: CellState, tree: dict[str, Any], incoming: CallArguments, blob: Buffer) -> Reply:
    target = _resolve(world, tree["to"], incoming)
    return _run(world, tree, incoming, lambda: target(*incoming.args, **incoming.kwargs), blob)


def _next(world: CellState, tree: dict[str, Any], incoming: CallArguments, blob: Buffer) -> Reply:
    """Advance an iterator by one step. The reply reports changes to the arguments of the call that created the iterator."""
    iterator = world.object(tree["object"])
    return _run(world, tree, world.declared[tree["object"]]["incoming"], lambda: next(iterator), blob)


def _get(world: CellState, tree: dict[str, Any], incoming: CallArguments, blob: Buffer) -> Reply:
    entry, name = world.declared[tree["object"]], tree["name"]
    if name not in entry["attributes"] and not (entry["kind"] == "module" and name == "training"):
        raise LookupError(f"the attribute {name!r} is not declared in challenge.toml")
    owner = world.object(tree["object"])
    if isinstance(owner, torch.nn.Module):
        incoming.owners[tree["object"]] = owner
    return _run(world, tree, incoming, lambda: _without_graph(getattr(owner, name)), blob)


def _without_graph(value: Any) -> Any:
    """Detach a tensor attribute from its graph. Parameters and other values are returned unchanged."""
    return value.detach() if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter) else value


def _run(
    world: CellState, tree: dict[str, Any], incoming: CallArguments, target: Callable[[], Any], blob: Buffer
) -> Reply:
    """Run `target`. Returns a reply with the value that `target` returned, its graph, and every change to objects of which the
    judge has a copy.
    """
    notes: dict[str, Any] = {}
    try:
        value = run_in_context(world, tree["ctx"], target, notes)
    except Exception as error:
        out = ResultEncoder(incoming)
        effects = contents(incoming, out) | after(world, incoming, out)
        return out.reply({"ok": False, "error": describe(error), **notes, **effects}), out.blobs.parts
    out = ResultEncoder(incoming)
    reply = {"ok": True, "value": _encode(world, out, value, tree, incoming), **notes, **contents(incoming, out)}
    reply |= _graph(world, incoming, out)
    reply |= after(world, incoming, out)
    if tree.get("observe"):
        reply["seen"] = _observed(world, tree, blob, out)
    return out.reply(reply), out.blobs.parts


def _graph(world: CellState, incoming: CallArguments, out: ResultEncoder) -> dict[str, Any]:
    leaves, saved, names = graph_inputs(incoming)
    written = rewritten(incoming)
    outputs = out.differentiable() + [incoming.arrival.tensors[i] for i in written]
    record = world.records.keep(leaves, outputs, saved)
    return {} if record is None else {"record": record, **names, "rewritten": written}


def _observed(world: CellState, tree: dict[str, Any], blob: Buffer, out: ResultEncoder) -> dict[str, Any]:
    """Repeat the call on freshly decoded arguments and observe it. Returns the observations with the result of this second
    call, so that the judge can compare it with the result of the first call.
    """
    again = decode_arguments(world, blob, {**tree, "mirrors": []})
    target = _resolve(world, tree["to"], again)
    watch = observe_forward if tree["observe"] == "forward" else observe_backward
    call = lambda: watch(lambda: target(*again.args, **again.kwargs), again.arrival.tensors)  # noqa: E731
    value, seen = run_in_context(world, tree["ctx"], call, {})
    return {**seen, "value": _PlainEncoder(out).encode(value)}


class _PlainEncoder(Encoder):
    """Encodes a value into the reply of another encoder. Its tensors are sent without their graphs."""

    def __init__(self, out: ResultEncoder) -> None:
        super().__init__(out.blobs)
        self._out = out

    def special(self, value: Any) -> Tree:
        """Encode a tensor without its graph."""
        return self._out.plain(value) if isinstance(value, torch.Tensor) else NotImplemented


def _resolve(world: CellState, to: list[Any], incoming: CallArguments) -> Callable[..., Any]:
    kind, name = to[0], to[-1]
    if kind == "entry":
        entry = world.entries[name]
        target = getattr(world.solution, name)
        return target.apply if entry["kind"] == "autograd_function" else target  # type: ignore[no-any-return]
    if kind == "probe":
        probe = getattr(world.probes, name)
        return lambda *args, **kwargs: probe(world.solution, *args, **kwargs)
    owner, entry = world.object(to[1]), world.declared[to[1]]
    if isinstance(owner, torch.nn.Module):
        incoming.owners = {to[1]: owner} | incoming.owners
    allowed = name in entry["methods"] or name == "__call__" or (entry["kind"] == "module" and name in MODULE_METHODS)
    if not allowed:
        raise LookupError(f"the method {name!r} is not declared in challenge.toml")
    return getattr(owner, name)  # type: ignore[no-any-return]


def _encode(world: CellState, out: ResultEncoder, value: Any, tree: dict[str, Any], incoming: CallArguments) -> Tree:
    """Encode a result. Objects and iterators that challenge.toml declares stay in the cell, and the judge gets a handle for
    each; all other values are sent as plain data.
    """
    to = tree.get("to") or ["get"]
    entry = world.entries.get(to[1]) if to[0] == "entry" else None
    if entry is not None and entry["kind"] in ("class", "module"):
        number = world.keep(value, entry)
        if entry["kind"] == "module":
            world.known[
                number
            ] = {}  # this reply reports all parameters of the module, and later replies report changes
        return ["o", number]
    if (entry is not None and entry["returns"] == "iterator") or to[-1] == "__iter__":
        return ["it", world.keep(iter(value), {"kind": "iterator", "methods": (), "incoming": incoming})]
    if to[0] == "method" and value is world.object(to[1]):
        return ["o", to[1]]
    if to[-1] == "load_state_dict" and isinstance(value, tuple):
        value = [list(names) for names in value]
    return out.encode(value)


def _product(world: CellState, tree: dict[str, Any], incoming: CallArguments, blob: Buffer) -> Reply:
    notes: dict[str, Any] = {}
    options = ProductOptions(tree["wants"], tree["create_graph"], tree["retain_graph"], tree["stale"])
    product = partial(world.records.product, tree["record"], incoming.args, options)
    grads, record = run_in_context(world, tree["ctx"], product, notes)
    out = ResultEncoder()
    values = [None if grad is None else ["S", out.add(grad)] for grad in grads]
    # The reply to a product contains only gradients. Parameters that the backward pass has changed are reported in the reply to
    # the next call.
    reply = {"ok": True, "value": ["l", *values], **notes}
    return out.reply(reply if record is None else {**reply, "record": record}), out.blobs.parts


def _buffers(world: CellState, tree: dict[str, Any], incoming: CallArguments, blob: Buffer) -> Reply:
    """Send copies of a module's buffers."""
    out = ResultEncoder()
    rows = [["t", name, out.plain(tensor)] for name, tensor in world.object(tree["object"]).named_buffers()]
    return out.reply({"ok": True, "value": ["l", *rows]}), out.blobs.parts


_OPERATIONS: dict[str, Callable[[CellState, dict[str, Any], CallArguments, Buffer], Reply]] = {
    "call": _call,
    "product": _product,
    "buffers": _buffers,
    "get": _get,
    "next": _next,
}
