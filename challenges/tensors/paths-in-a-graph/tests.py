"""Hidden tests: paths and trees, against loops over edges in Python floats."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
INF = float("inf")
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def edges_of(weights):
    n = len(weights)
    return [(i, j, float(weights[i, j])) for i in range(n) for j in range(n) if weights[i, j] < INF]


def true_from(weights, source):
    """Tries every edge n times."""
    d = [INF] * len(weights)
    d[source] = 0.0
    edges = edges_of(weights)
    for _ in range(len(weights)):
        for i, j, w in edges:
            d[j] = min(d[j], d[i] + w)
    return torch.tensor(d, dtype=weights.dtype)


def true_all(weights):
    return torch.stack([true_from(weights, i) for i in range(len(weights))])


def true_tree(weights):
    """The lightest edges first, those that join two parts."""
    part, total, joined = list(range(len(weights))), 0.0, 1
    for i, j, w in sorted(edges_of(weights), key=lambda edge: edge[2]):
        if part[i] != part[j]:
            old, total, joined = part[j], total + w, joined + 1
            part = [part[i] if p == old else p for p in part]
    return torch.tensor(total if joined == len(weights) else INF, dtype=weights.dtype)


def graph(rng, n, p, dtype=F64, negative=False):
    """Random lengths between 0.001 and 1000, some of them 0. Negative ones come from potentials, so no cycle is negative."""
    lengths = 10 ** (6 * rng.rand(n, n, dtype=F64) - 3)
    lengths = torch.where(rng.mask(n, n, p=0.1), 0.0, lengths)
    if negative:
        height = 100 * rng.rand(n, dtype=F64)
        lengths = 0.01 + rng.rand(n, n, dtype=F64) + height - height[:, None]
    return torch.where(rng.mask(n, n, p=p), lengths, INF).to(dtype)


def undirected(rng, n, p, dtype=F64):
    w = torch.where(rng.mask(n, n, p=p), 3 * rng.randn(n, n, dtype=F64), INF).triu(1)
    w = torch.where(torch.ones(n, n).triu(1).bool(), w, INF)
    return torch.minimum(w, w.T).to(dtype)


@sample
@points(1)
def test_detour(solution):
    """Two short edges are shorter than a long one; nothing leads back, and each node is at distance 0 from itself."""
    w = torch.tensor([[INF, 4.0, 1.0], [INF, INF, INF], [INF, 2.0, INF]])
    assert_close(solution.from_source(w, 0), torch.tensor([0.0, 3.0, 1.0]))
    assert_close(solution.all_pairs(w), torch.tensor([[0.0, 3.0, 1.0], [INF, 0.0, INF], [INF, 2.0, 0.0]]))


@sample
@points(1)
def test_tree_by_hand(solution):
    """A triangle keeps its two lightest edges."""
    w = torch.tensor([[INF, 4.0, 1.0], [4.0, INF, 2.0], [1.0, 2.0, INF]])
    assert_close(solution.lightest_tree(w), torch.tensor(3.0))


@sample
@points(1)
def test_negative_cycle_by_hand(solution):
    """From node 0 the cycle 1, 2, 1 of length -1 can be reached; from node 3 it cannot."""
    w = torch.full((4, 4), INF)
    w[0, 1], w[1, 2], w[2, 1] = 5.0, 1.0, -2.0
    for call in (lambda: solution.from_source(w, 0), lambda: solution.all_pairs(w)):
        with pytest.raises(ValueError):
            call()
    assert_close(solution.from_source(w, 3), torch.tensor([INF, INF, INF, 0.0]))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("p", [0.1, 0.3, 1.0])
def test_from_source(solution, rng, p, dtype):
    """A distance from the source differs: direction of the edges, number of rounds, nodes that cannot be reached."""
    for n in (2, 5, 9):
        w = graph(rng, n, p, dtype)
        source = rng.integer(0, n)
        assert_close(solution.from_source(w, source), true_from(w, source), scale=4.0)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("p", [0.1, 0.3, 1.0])
def test_all_pairs(solution, rng, p, dtype):
    """A distance between two nodes differs: how many edges may a path have, and which way do they lead?"""
    for n in (2, 5, 8):
        w = graph(rng, n, p, dtype)
        assert_close(solution.all_pairs(w), true_all(w), scale=4.0)


@points(2)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 9, 17])
def test_long_path(solution, rng, n):
    """The only path visits all nodes, in an order that nobody can guess: n − 1 edges are needed."""
    order = rng.permutation(n)
    w = torch.full((n, n), INF, dtype=F64)
    w[order[:-1], order[1:]] = 1 + rng.rand(n - 1, dtype=F64)
    assert_close(solution.from_source(w, int(order[0])), true_from(w, int(order[0])))
    assert_close(solution.all_pairs(w), true_all(w))


@points(2)
@EACH_DTYPE
def test_negative_lengths(solution, rng, dtype):
    """Negative edges are ordinary as long as no cycle is negative: the nearest node is not final."""
    for n, p in ((4, 1.0), (7, 0.4), (9, 0.7)):
        w = graph(rng, n, p, dtype, negative=True)
        assert_close(solution.all_pairs(w), true_all(w), scale=64.0)
        assert_close(solution.from_source(w, 1), true_from(w, 1), scale=64.0)


@points(2)
@pytest.mark.parametrize("n", [1, 2, 3, 6, 8])
def test_negative_cycles(solution, rng, n):
    """A cycle through all nodes of a length just below 0 is a ValueError, an edge of a node to itself among them."""
    order = rng.permutation(n)
    w = torch.full((n, n), INF, dtype=F64)
    w[order, order.roll(-1)] = 1.0
    w[order[-1], order[0]] = -(n - 1) - 0.5
    for call in (lambda: solution.from_source(w, 0), lambda: solution.all_pairs(w)):
        with pytest.raises(ValueError):
            call()
    w[order[-1], order[0]] = -(n - 1) + 0.5
    assert_close(solution.all_pairs(w), true_all(w), name="a cycle just above 0")


@points(2)
def test_cycle_out_of_reach(solution, rng):
    """A negative cycle that cannot be reached from the source does not matter, also if it leads to the same nodes."""
    w = torch.full((6, 6), INF, dtype=F64)
    w[0, 1], w[1, 2] = 1.0, -3.0
    w[3, 4], w[4, 3], w[4, 2] = 1.0, -2.0, 1.0
    assert_close(solution.from_source(w, 0), torch.tensor([0.0, 1.0, -2.0, INF, INF, INF], dtype=F64))
    for call in (lambda: solution.from_source(w, 4), lambda: solution.all_pairs(w)):
        with pytest.raises(ValueError):
            call()


@points(1)
def test_single_node_and_loops(solution):
    """One node is at distance 0 from itself and needs no edges; an edge to itself helps nobody if it is not negative."""
    for loop in (INF, 0.0, 3.0):
        w = torch.tensor([[loop]])
        assert_close(solution.from_source(w, 0), torch.tensor([0.0]))
        assert_close(solution.all_pairs(w), torch.tensor([[0.0]]))
        assert_close(solution.lightest_tree(w), torch.tensor(0.0))


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("p", [0.5, 1.0])
def test_lightest_tree(solution, rng, p, dtype):
    """The total of the tree differs: the lightest edge that joins two parts always belongs to it, negative ones too."""
    for n in (2, 3, 6, 10):
        w = undirected(rng, n, p, dtype)
        # Redrawn while the total is near 0, where lengths of both signs cancel and rounding is large beside what is left.
        while 0 < abs(true_tree(w)) < 0.1:
            w = undirected(rng, n, p, dtype)
        assert_close(solution.lightest_tree(w), true_tree(w), scale=4.0)


@points(2)
def test_trees_of_special_graphs(solution, rng):
    """Equal lengths, a graph in two parts, and numbers on the diagonal, which do not count."""
    equal = torch.full((5, 5), 2.0)
    assert_close(solution.lightest_tree(equal), torch.tensor(8.0))
    apart = undirected(rng, 6, 1.0)
    apart[:2, 2:], apart[2:, :2] = INF, INF
    assert_close(solution.lightest_tree(apart), torch.tensor(INF, dtype=F64))
    w = undirected(rng, 6, 1.0)
    loops = w.clone().fill_diagonal_(-50.0)
    assert_close(solution.lightest_tree(loops), true_tree(w))


@points(2)
def test_triangle_inequality(solution, rng):
    """A distance is never longer than a detour, and distances are their own distances."""
    d = solution.all_pairs(graph(rng, 8, 0.5))
    check(bool((d <= (d[:, :, None] + d).amin(1) + 1e-9).all()), "a detour is shorter than a distance")
    assert_close(solution.all_pairs(d), d)
    assert_close(d[3], solution.from_source(d, 3), name="row of all pairs")


@points(1)
def test_layouts_and_arguments(solution, rng):
    """A transposed or strided matrix is ordinary, and weights are left as they are."""
    wide = graph(rng, 12, 0.6)
    for w in (wide[:6, :6].T, wide[::2, ::2]):
        assert_close(assert_not_mutated(solution.from_source, w, 2), true_from(w, 2), scale=4.0)
        assert_close(assert_not_mutated(solution.all_pairs, w), true_all(w), scale=4.0)
    w = undirected(rng, 12, 1.0)[::2, ::2]
    assert_close(assert_not_mutated(solution.lightest_tree, w), true_tree(w))


@attested
@points(1)
@pytest.mark.parametrize("name", ["from_source", "all_pairs", "lightest_tree"])
def test_no_loop_over_pairs(solution, attest, rng, name):
    """More calls into torch than 20 n + 50, or a tensor larger than n³: a loop over nodes, but not over their pairs."""
    n = 24
    w = undirected(rng, n, 1.0) + 20 if name == "lightest_tree" else graph(rng, n, 0.5)
    seen = attest(getattr(solution, name), w, *([0] if name == "from_source" else []))
    used = sum(
        count for each, count in seen.operators.items() if each.startswith("torch.") and not each.endswith("__get__")
    )
    check(used <= 20 * n + 50, f"{used} calls into torch, and at most {20 * n + 50} are allowed")
    check(seen.largest_numel <= n**3, "a tensor on the way has more than n³ elements")
