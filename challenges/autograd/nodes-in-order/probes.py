"""Builds graphs next to your answer, and turns what it returns into numbers and names."""

import torch
from torch import Tensor

BINARY = {"add": torch.add, "mul": torch.mul, "sub": torch.sub}
UNARY = {
    "exp": lambda x: (0.1 * x).exp(),
    "tanh": torch.tanh,
    "sum": lambda x: x.sum() + torch.zeros_like(x),
    "halves": lambda x: torch.stack(x.unbind(0)[::-1]),
    "detach": lambda x: x.detach(),
}


def build(values: list[Tensor], learned: list[bool], program: list) -> tuple[Tensor, list[Tensor]]:
    """Leaves with these values, and the last result of a program of (operator, first place, second place)."""
    leaves = [value.clone().requires_grad_(flag) for value, flag in zip(values, learned, strict=True)]
    made = list(leaves)
    for name, first, second in program:
        made.append(BINARY[name](made[first], made[second]) if name in BINARY else UNARY[name](made[first]))
    return made[-1], leaves


def place(items: list, wanted: object) -> int:
    """The place of this very object, or -1."""
    return next((i for i, item in enumerate(items) if item is wanted), -1)


def described(nodes: list, t: Tensor) -> dict:
    """Names, and for each node the places of the nodes of its inputs; -1 for a node that is not in the list."""
    where = {node: i for i, node in enumerate(nodes)}
    return {
        "is_list": isinstance(nodes, list),
        "names": [node.name() for node in nodes],
        "different": len(where),
        "root": where.get(t.grad_fn, -1),
        "inputs": [[where.get(parent, -1) for parent, _ in node.next_functions if parent] for node in nodes],
    }


def nodes(solution, values: list[Tensor], learned: list[bool], program: list, freed: bool = False) -> dict:
    """nodes_of the result of a program."""
    t, _ = build(values, learned, program)
    if freed:
        t.sum().backward()
    return described(solution.nodes_of(t), t)


def leaves(solution, values: list[Tensor], learned: list[bool], program: list, freed: bool = False) -> list[int]:
    """leaves_of the result of a program, as places among the leaves."""
    t, known = build(values, learned, program)
    if freed:
        t.sum().backward()
    return [place(known, leaf) for leaf in solution.leaves_of(t)]


def frozen(solution, values: list[Tensor], program: list, place_of_frozen: int) -> dict:
    """Both functions after one of the leaves was frozen: the nodes, the leaves, and which leaves backward() fills."""
    t, known = build(values, [True] * len(values), program)
    known[place_of_frozen].requires_grad_(False)
    nodes, leaves = solution.nodes_of(t), [place(known, leaf) for leaf in solution.leaves_of(t)]
    found = described(nodes, t)
    t.sum().backward()
    return {"nodes": found, "leaves": leaves, "filled": [i for i, leaf in enumerate(known) if leaf.grad is not None]}


def of_a_leaf(solution, value: Tensor, learned: bool) -> dict:
    """Both functions for a tensor without grad_fn."""
    t = value.clone().requires_grad_(learned)
    return {"nodes": len(solution.nodes_of(t)), "leaves": [place([t], leaf) for leaf in solution.leaves_of(t)]}


def chain(solution, value: Tensor, steps: int, doubled: bool) -> dict:
    """A graph of so many operators in a row. doubled: each uses its input twice."""
    leaf = value.clone().requires_grad_()
    t = leaf
    for _ in range(steps):
        t = t + t if doubled else t + 1
    found = solution.nodes_of(t)
    return {
        "count": len(found),
        "last": found[-1].name(),
        "leaves": [place([leaf], each) for each in solution.leaves_of(t)],
    }


def untouched(solution, values: list[Tensor], learned: list[bool], program: list) -> dict:
    """The values after both calls, and the gradients before and after a backward pass that follows them."""
    t, known = build(values, learned, program)
    before = t.detach().clone()
    solution.nodes_of(t)
    solution.leaves_of(t)
    empty = all(leaf.grad is None for leaf in known)
    same = torch.equal(t, before)
    t.sum().backward()
    return {"empty": empty, "same": same, "grads": [leaf.grad for leaf in known]}
