"""Keeps autograd graphs in the cell, so that the judge can request vector-Jacobian products.

A record holds inputs X (leaves) and outputs Y. A product with cotangents G gives dX = Gᵀ ∂Y/∂X. With `create_graph`
the product is stored as a record too, with inputs X and G, so derivatives of any order are possible.
"""

import os
from dataclasses import dataclass
from itertools import count

import torch

Tensors = list[torch.Tensor]


@dataclass(frozen=True)
class Record:
    """Leaf tensors for which gradients can be requested, and outputs that have a graph.

    `saved` holds, for each input, the tensor that the answer received: the input itself, or the argument that the cell made
    from the input (a copy or a view of it).
    """

    inputs: Tensors
    outputs: Tensors
    saved: Tensors


@dataclass(frozen=True)
class ProductOptions:
    """Options of a vector-Jacobian product. `create_graph` and `retain_graph` have the same meaning as in torch.autograd.grad.

    `wants` says for each input whether its gradient is computed. `stale` holds the indices of inputs that the test has written
    to since the call. If autograd saved one of these inputs for the backward pass, the product raises an error.
    """

    wants: list[bool]
    create_graph: bool
    retain_graph: bool
    stale: list[int]


class Records:
    """All autograd graphs that the cell keeps, by number."""

    def __init__(self) -> None:
        # Numbers start at a random value: if this process dies, the process that replaces it does not know the old numbers and
        # rejects them.
        self._numbers = count(int.from_bytes(os.urandom(4), "big") << 20)
        self._records: dict[int, Record] = {}

    def keep(self, inputs: Tensors, outputs: Tensors, saved: Tensors | None = None) -> int | None:
        """Store a graph and return its number, or return None if there are no outputs. All outputs must require grad."""
        if not outputs:
            return None
        number = next(self._numbers)
        self._records[number] = Record(inputs, outputs, saved or inputs)
        return number

    def release(self, numbers: list[int]) -> None:
        """Drop graphs that the judge no longer holds."""
        for number in numbers:
            self._records.pop(number, None)

    def product(
        self, number: int, cotangents: list[torch.Tensor | None], options: ProductOptions
    ) -> tuple[list[torch.Tensor | None], int | None]:
        """Compute a vector-Jacobian product from the record with this number.

        Returns one gradient for each input (None if the input is unused or its gradient is not wanted), and the number of the
        record that was stored for the product, if any.
        """
        if number not in self._records:
            raise LookupError("this graph was lost when the answer's process ended")
        record = self._records[number]
        pairs = [(out, cot) for out, cot in zip(record.outputs, cotangents, strict=True) if cot is not None]
        wanted = [x for x, want in zip(record.inputs, options.wants, strict=True) if want]
        if not pairs or not wanted:
            return [None] * len(record.inputs), None
        torch.autograd.graph.increment_version([record.saved[index] for index in options.stale])
        grads = iter(_gradients(pairs, wanted, options))
        result = [_non_leaf(next(grads)) if want else None for want in options.wants]
        if not options.create_graph:
            return result, None
        leaves = [cot for cot in cotangents if cot is not None]
        return result, self.keep([*record.inputs, *leaves], [g for g in result if g is not None and g.requires_grad])


def _non_leaf(grad: torch.Tensor | None) -> torch.Tensor | None:
    """Return the gradient as a tensor that is not a leaf. If autograd returned the cotangent itself, which is a leaf, the
    result is a view of it.
    """
    if grad is None or not (grad.is_leaf and grad.requires_grad):
        return grad
    with torch.enable_grad():
        return grad.view_as(grad)


def _gradients(
    pairs: list[tuple[torch.Tensor, torch.Tensor]], wanted: Tensors, options: ProductOptions
) -> tuple[torch.Tensor | None, ...]:
    outputs, cotangents = zip(*pairs, strict=True)
    with torch.enable_grad():
        return torch.autograd.grad(
            outputs,
            wanted,
            cotangents,
            retain_graph=options.retain_graph,
            create_graph=options.create_graph,
            allow_unused=True,
        )
