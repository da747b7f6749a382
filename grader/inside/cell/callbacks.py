"""Lets the answer call functions that the test passed to it. Each call is sent to the judge, which runs the function. If the
function's result depends on tensors of the answer, the result gets an autograd graph in the cell.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.autograd.function import once_differentiable

from grader.contract.wire import Buffer, Frame
from grader.inside.cell.arguments import CellState, decode_arguments
from grader.inside.cell.effects import ResultEncoder
from grader.inside.serialization.failures import failed_function
from grader.inside.serialization.values import Unsupported

Exchange = Callable[[dict[str, Any], list[Buffer]], Frame]


def call(world: CellState, exchange: Exchange, number: int, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Ask the judge to call the function of the test that has this number, and return the result."""
    out = ResultEncoder()
    try:
        tree = {"args": [out.encode(a) for a in args], "kwargs": {k: out.encode(v) for k, v in kwargs.items()}}
    except Unsupported as error:
        raise TypeError(f"this function cannot take {error.kind}") from None
    frame = exchange(out.reply({"callback": number, **tree}), out.blobs.parts)
    reply = _checked(frame)
    incoming = decode_arguments(world, frame.blob, reply)
    value = incoming.args[0]
    if "graph" not in reply:
        return value
    inputs = [tensor for tensor, row in zip(out.tensors, out.table, strict=True) if row[5]]
    outputs = [incoming.arrival.tensors[index] for index in reply["outputs"]]
    attached = _Op.apply(_Graph(world, exchange, reply["graph"]), outputs, *inputs)  # type: ignore[no-untyped-call]
    return _replaced(value, {id(old): new for old, new in zip(outputs, attached, strict=True)})


def _checked(frame: Frame) -> dict[str, Any]:
    tree: dict[str, Any] = frame.json()
    if not tree["ok"]:
        raise failed_function(tree["failure"], tree["family"])
    return tree


class _Graph:
    """A reference to an autograd graph in the judge. When this object is deleted, the next reply tells the judge to drop the
    graph.
    """

    def __init__(self, world: CellState, exchange: Exchange, number: int) -> None:
        self._world = world
        self._exchange = exchange
        self._number = number

    def product(self, cotangents: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
        """Ask the judge to run the backward pass of the test's function. `cotangents` holds the gradients of the function's
        results. Returns the gradients of its arguments.
        """
        out = ResultEncoder()
        tree = {"product": self._number, "args": [out.plain(c) for c in cotangents]}
        frame = self._exchange(out.reply(tree), out.blobs.parts)
        gradients: list[torch.Tensor | None] = decode_arguments(self._world, frame.blob, _checked(frame)).args[0]
        return gradients

    def __del__(self) -> None:
        self._world.dropped.append(self._number)


class _Op(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, graph: _Graph, outputs: Sequence[torch.Tensor], *_inputs: torch.Tensor) -> Any:
        ctx.graph = graph
        ctx.set_materialize_grads(False)
        return tuple(out.detach() for out in outputs)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *cotangents: torch.Tensor | None) -> Any:
        return (None, None, *ctx.graph.product(cotangents))


def _replaced(value: Any, new: dict[int, torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        return new.get(id(value), value)
    if type(value) in (list, tuple):
        return type(value)(_replaced(item, new) for item in value)
    return {key: _replaced(item, new) for key, item in value.items()} if type(value) is dict else value
