"""Depth first with a stack: a node is written down after everything below it, and the list is turned around."""

from torch import Tensor
from torch.autograd.graph import Node


def nodes_of(t: Tensor) -> list[Node]:
    order, seen, stack = [], set(), [(t.grad_fn, False)]
    while stack:
        node, below_done = stack.pop()
        if below_done:
            order.append(node)
        elif node is not None and node not in seen:
            seen.add(node)
            stack.append((node, True))
            for parent, _ in node.next_functions:
                stack.append((parent, False))
    return order[::-1]


def leaves_of(t: Tensor) -> list[Tensor]:
    if t.grad_fn is None:
        return [t] if t.requires_grad else []
    leaves = [node.variable for node in nodes_of(t) if hasattr(node, "variable")]
    return [leaf for leaf in leaves if leaf.requires_grad]
