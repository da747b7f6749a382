"""Graphs that stay in the cell: what a call computed from what, so that the judge can ask for vector-Jacobian products.

A record holds inputs X (leaves) and outputs Y. A product with cotangents G gives dX = Gᵀ ∂Y/∂X; with `create_graph` it is a
record itself, of inputs X and G, so derivatives of any order work the same way.
"""

import os
from dataclasses import dataclass
from itertools import count

import torch

Tensors = list[torch.Tensor]


@dataclass(frozen=True)
class Record:
    """Leaves that gradients can be asked for, and the outputs that have a graph."""

    inputs: Tensors
    outputs: Tensors
    saved: Tensors
    """What stands for the inputs in the graph: the arguments themselves, where an input is the leaf behind one."""


@dataclass(frozen=True)
class Order:
    """What is asked of a product: which gradients, with a graph of their own or not, and may there be another after it.

    `stale` are inputs that the test has written to since: where one was saved for the backward pass, autograd refuses.
    """

    wants: list[bool]
    create_graph: bool
    retain_graph: bool
    stale: list[int]


class Records:
    """All graphs alive in the cell, by number."""

    def __init__(self) -> None:
        # Numbers of a process that died must not mean something else in the one that follows.
        self._numbers = count(int.from_bytes(os.urandom(4), "big") << 20)
        self._records: dict[int, Record] = {}

    def keep(self, inputs: Tensors, outputs: Tensors, saved: Tensors | None = None) -> int | None:
        """Keep a graph if there is one; returns its number. Every output requires grad."""
        if not outputs:
            return None
        number = next(self._numbers)
        self._records[number] = Record(inputs, outputs, saved or inputs)
        return number

    def release(self, numbers: list[int]) -> None:
        """Forget graphs that the judge no longer holds."""
        for number in numbers:
            self._records.pop(number, None)

    def product(
        self, number: int, cotangents: list[torch.Tensor | None], order: Order
    ) -> tuple[list[torch.Tensor | None], int | None]:
        """Gradients by input (None where unused or unwanted), and the number of the product's own record."""
        if number not in self._records:
            raise LookupError("this graph was lost when the answer's process ended")
        record = self._records[number]
        pairs = [(out, cot) for out, cot in zip(record.outputs, cotangents, strict=True) if cot is not None]
        wanted = [x for x, want in zip(record.inputs, order.wants, strict=True) if want]
        if not pairs or not wanted:
            return [None] * len(record.inputs), None
        torch.autograd.graph.increment_version([record.saved[index] for index in order.stale])
        grads = iter(_gradients(pairs, wanted, order))
        result = [_non_leaf(next(grads)) if want else None for want in order.wants]
        if not order.create_graph:
            return result, None
        leaves = [cot for cot in cotangents if cot is not None]
        return result, self.keep([*record.inputs, *leaves], [g for g in result if g is not None and g.requires_grad])


def _non_leaf(grad: torch.Tensor | None) -> torch.Tensor | None:
    """A gradient may be the cotangent itself: as a leaf it would have no graph to be asked about."""
    if grad is None or not (grad.is_leaf and grad.requires_grad):
        return grad
    with torch.enable_grad():
        return grad.view_as(grad)


def _gradients(
    pairs: list[tuple[torch.Tensor, torch.Tensor]], wanted: Tensors, order: Order
) -> tuple[torch.Tensor | None, ...]:
    outputs, cotangents = zip(*pairs, strict=True)
    with torch.enable_grad():
        return torch.autograd.grad(
            outputs,
            wanted,
            cotangents,
            retain_graph=order.retain_graph,
            create_graph=order.create_graph,
            allow_unused=True,
        )
