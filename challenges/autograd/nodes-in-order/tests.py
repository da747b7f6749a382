"""Hidden tests: the nodes and the leaves behind a tensor."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
BINARY, UNARY = ["add", "mul", "sub"], ["exp", "tanh", "sum", "halves"]


def random_program(rng, leaves, steps, detach=True):
    """Operators on random earlier results; the last ones join the ends, so that much of it can be reached."""
    program = []
    for step in range(steps):
        names = [*BINARY, *BINARY, *UNARY, *(["detach"] if detach and step else [])]
        high = leaves + step
        program.append((rng.choice(names), rng.integer(max(0, high - 5), high), rng.integer(0, high)))
    for first in range(leaves + steps - 3, leaves + steps):
        program.append(("add", leaves + len(program) - 1, first))
    return program


def reached(leaves, learned, program, place=None):
    """The leaves that the last result depends on, by the definition of the program."""
    place = leaves + len(program) - 1 if place is None else place
    if place < leaves:
        return {place} if learned[place] else set()
    name, first, second = program[place - leaves]
    if name == "detach":
        return set()
    here = reached(leaves, learned, program, first)
    return here | reached(leaves, learned, program, second) if name in BINARY else here


def setting(rng, leaves=4, steps=7, dtype=F64):
    values = [rng.randn(3, dtype=dtype) for _ in range(leaves)]
    learned = [True, False, *(rng.integer(0, 2) == 1 for _ in range(leaves - 2))]
    return values, learned, random_program(rng, leaves, steps)


def check_nodes(found, expected):
    check(found["is_list"], "nodes_of should return a list")
    check(found["different"] == len(found["names"]), "a node is in the list more than once")
    check(all(-1 not in each for each in found["inputs"]), "a node is missing, although next_functions leads to it")
    check(found["root"] != -1 or not expected["names"], "t.grad_fn itself is missing")
    check(sorted(found["names"]) == sorted(expected["names"]), "the list holds other nodes than the graph")
    check(
        all(i < j for i, each in enumerate(found["inputs"]) for j in each),
        "a node stands behind the node of one of its inputs",
    )


@sample
@points(1)
def test_shared_product(probes, reference):
    """tanh(h) + h with h = x * w: five nodes and two leaves; h is used twice and has one node."""
    values = [torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])]
    program = [("mul", 0, 1), ("tanh", 2, 0), ("add", 3, 2)]
    found = probes.nodes(values, [True, True], program)
    check_nodes(found, probes.on(reference).nodes(values, [True, True], program))
    check(len(found["names"]) == 5, "the graph has five nodes: an addition, tanh, a product and two leaves")
    check(sorted(probes.leaves(values, [True, True], program)) == [0, 1], "the leaves are x and w")


@sample
@points(1)
def test_constant_input(probes):
    """x * c with a constant c: two nodes, and one leaf."""
    values = [torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])]
    found = probes.nodes(values, [True, False], [("mul", 0, 1)])
    check(len(found["names"]) == 2, "the graph has two nodes: a product and a leaf")
    check(probes.leaves(values, [True, False], [("mul", 0, 1)]) == [0], "the leaf is x alone")


@sample
@points(1)
def test_without_a_node(probes):
    """A leaf has no grad_fn: no nodes. It is its own leaf if it requires a gradient."""
    value = torch.tensor([1.0, 2.0])
    check(probes.of_a_leaf(value, True) == {"nodes": 0, "leaves": [0]}, "nodes_of gives [], leaves_of gives [t]")
    check(probes.of_a_leaf(value, False) == {"nodes": 0, "leaves": []}, "both give []")


@points(2)
def test_long_and_short_way(probes, reference, rng):
    """A result that is reached by a long way and by a short one: its node belongs behind the end of the long way."""
    values, learned = [rng.randn(3), rng.randn(3)], [True, True]
    for tail in (("add", 5, 2), ("add", 2, 5)):
        program = [("mul", 0, 1), ("tanh", 2, 0), ("exp", 3, 0), ("tanh", 4, 0), tail, ("mul", 6, 0)]
        found = probes.nodes(values, learned, program)
        check_nodes(found, probes.on(reference).nodes(values, learned, program))


@points(1)
def test_several_results(probes, reference, rng):
    """unbind has several results and one node."""
    values, program = [rng.randn(3), rng.randn(3)], [("mul", 0, 1), ("halves", 2, 0), ("add", 3, 2)]
    found = probes.nodes(values, [True, True], program)
    check_nodes(found, probes.on(reference).nodes(values, [True, True], program))


@points(3)
@EACH_DTYPE
def test_random_graphs(probes, reference, rng, dtype):
    """The nodes of a random graph: each once, none missing, none too many, results before inputs."""
    for _ in range(5):
        values, learned, program = setting(rng, dtype=dtype)
        program = [("mul" if name == "detach" else name, first, second) for name, first, second in program]
        found = probes.nodes(values, learned, program)
        check_nodes(found, probes.on(reference).nodes(values, learned, program))


@points(3)
@EACH_DTYPE
def test_leaves_of_random_graphs(probes, rng, dtype):
    """The leaves of a random graph: those that the result depends on and that require a gradient, each once."""
    for _ in range(5):
        values, learned, program = setting(rng, dtype=dtype)
        found = probes.leaves(values, learned, program)
        check(-1 not in found, "a tensor in the list is none of the leaves")
        check(len(set(found)) == len(found), "a leaf is in the list more than once")
        check(set(found) == reached(4, learned, program), "these are not the leaves that would get a gradient")


@points(1)
def test_equal_leaves(probes, rng):
    """Two leaves with the same values are two leaves."""
    value = rng.randn(3)
    found = probes.leaves([value, value, value], [True, True, True], [("mul", 0, 1), ("add", 3, 0), ("add", 4, 2)])
    check(sorted(found) == [0, 1, 2], "leaves with equal values were taken for one")


@points(1)
def test_detached(probes, rng):
    """A detached result, or one of constants alone, has neither nodes nor leaves."""
    values = [rng.randn(3), rng.randn(3)]
    for learned, program in (([True, True], [("mul", 0, 1), ("detach", 2, 0)]), ([False, False], [("mul", 0, 1)])):
        found = probes.nodes(values, learned, program)
        check(found["names"] == [], "a tensor without grad_fn has no nodes")
        check(probes.leaves(values, learned, program) == [], "a tensor that requires no gradient has no leaves")


@points(1)
def test_frozen_afterwards(probes, reference, rng):
    """A leaf that was frozen after the recording keeps its node, and is not among the leaves that get a gradient."""
    values, program = [rng.randn(3) for _ in range(3)], [("mul", 0, 1), ("exp", 3, 0), ("add", 4, 2)]
    for place in range(3):
        found = probes.frozen(values, program, place)
        check_nodes(found["nodes"], probes.on(reference).nodes(values, [True] * 3, program))
        check(sorted(found["leaves"]) == found["filled"], "these are not the leaves that backward() gives a gradient")


@points(2)
def test_deep(probes, rng):
    """A graph of 20,000 operators in a row: recursion is too deep."""
    found = probes.chain(rng.randn(2), 20_000, False)
    check(found["count"] == 20_001, "there is one node for each operator, and one for the leaf")
    check("AccumulateGrad" in found["last"], "the node of the leaf stands at the end")
    check(found["leaves"] == [0], "the leaf is missing")


@points(2)
def test_many_paths(probes, rng):
    """Forty doublings have 2^40 paths and 41 nodes: visit each node once, not each path."""
    found = probes.chain(rng.randn(2), 40, True)
    check(found["count"] == 41, "there is one node for each doubling, and one for the leaf")
    check(found["leaves"] == [0], "there is one leaf")


@points(1)
def test_freed_graph(probes, reference, rng):
    """After a backward pass the nodes are still there."""
    values, learned = [rng.randn(3), rng.randn(3)], [True, True]
    program = [("mul", 0, 1), ("exp", 2, 0), ("mul", 3, 2)]
    found = probes.nodes(values, learned, program, freed=True)
    check_nodes(found, probes.on(reference).nodes(values, learned, program))
    check(sorted(probes.leaves(values, learned, program, freed=True)) == [0, 1], "the leaves are still there")


@points(1)
def test_nothing_changes(probes, rng):
    """No gradient is filled by the walk, and a backward pass afterwards gives the right ones."""
    x, w = rng.randn(3, dtype=F64), rng.randn(3, dtype=F64)
    found = probes.untouched([x, w], [True, True], [("mul", 0, 1), ("tanh", 2, 0), ("add", 3, 2)])
    check(found["empty"], "a .grad was filled")
    check(found["same"], "the values of t have changed")
    slope = 2 - torch.tanh(x * w) ** 2
    assert_close(found["grads"], [slope * w, slope * x], scale=8.0, name="gradients")
