"""Hidden tests: a sparse matrix that averages over neighbours, and its products."""

import pytest
import torch

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
FIXED = torch.tensor([[0, 0, 0, 1, 2], [1, 2, 2, 2, 0]])


def dense_of(edges, n):
    """By counting, edge by edge."""
    counts = torch.zeros(n, n)
    for i, j in edges.T.tolist():
        counts[i, j] += 1
    return counts / counts.sum(1, keepdim=True).clamp_min(1)


def check_matrix(found, edges, n):
    check(found["sparse"], "the layout should be sparse COO")
    check(found["shape"] == (n, n), "the shape should be (n, n)")
    check(found["coalesced"], "the matrix should be coalesced")
    dense = dense_of(edges, n)
    check(found["stored"] == int((dense > 0).sum()), "one entry should be stored for each pair that has an edge")
    assert_close(found["indices"], dense.nonzero().T, name="indices")
    assert_close(found["values"], dense[dense > 0], name="values")
    check(found["kept"], "edges has changed")


def check_product(found, indices, values, x, k, upstream):
    n = x.shape[0]
    dense = torch.zeros(n, n, dtype=x.dtype).index_put((indices[0], indices[1]), values, accumulate=True)
    power = torch.linalg.matrix_power(dense, k)
    assert_close(found["result"], power @ x, scale=64.0, name="propagate")
    check(found["recorded"], "no gradient reaches x")
    assert_close(found["grad"], power.T @ upstream, scale=64.0, name="gradient of x")
    check(found["kept"], "an argument has changed")


@sample
@points(1)
def test_fixed_graph(probes):
    """Four nodes, five edges, one of them twice: rows (0, 1/3, 2/3, 0), (0, 0, 1, 0), (1, 0, 0, 0) and an empty one."""
    check_matrix(probes.matrix(FIXED, 4), FIXED, 4)


@sample
@points(1)
def test_two_rounds(probes):
    """One round averages over neighbours; two rounds over the neighbours of neighbours."""
    values = torch.tensor([0.5, 0.5, 1.0])
    indices = torch.tensor([[0, 0, 1], [1, 2, 2]])
    x, upstream = torch.tensor([[3.0], [6.0], [9.0]]), torch.ones(3, 1)
    for k in (1, 2):
        check_product(probes.product(indices, values, x, k, upstream), indices, values, x, k, upstream)


@sample
@points(1)
def test_zero_rounds(probes):
    """A to the power of 0 leaves x as it is."""
    x, upstream = torch.tensor([[3.0], [6.0]]), torch.tensor([[1.0], [2.0]])
    indices, values = torch.tensor([[0], [1]]), torch.tensor([5.0])
    check_product(probes.product(indices, values, x, 0, upstream), indices, values, x, 0, upstream)


@points(3)
@pytest.mark.parametrize(("n", "count"), [(5, 7), (7, 40), (11, 11)], ids=["few", "many-repeated", "sparse"])
def test_random_graphs(probes, rng, n, count):
    """Values or entries differ from counting edge by edge; repeated edges count as often as they occur."""
    edges = rng.randint(0, n, (2, count))
    check_matrix(probes.matrix(edges, n), edges, n)


@points(1)
def test_last_node_without_edges(probes, rng):
    """The number of nodes is n, whatever the largest index is."""
    edges = rng.randint(0, 5, (2, 9))
    check_matrix(probes.matrix(edges, 8), edges, 8)


@points(1)
def test_no_edges(probes):
    """A graph without edges gives a matrix without entries."""
    edges = torch.zeros(2, 0, dtype=torch.int64)
    check_matrix(probes.matrix(edges, 3), edges, 3)


@points(1)
def test_loops(probes, rng):
    """An edge from a node to itself is an edge like any other."""
    edges = torch.stack([torch.arange(4), torch.arange(4)]).repeat(1, 2)
    edges[1, rng.integer(0, 8)] = 0
    check_matrix(probes.matrix(edges, 5), edges, 5)


@points(2)
@EACH_DTYPE
def test_products(probes, rng, dtype):
    """A^k x, or its gradient, differs from the dense formula."""
    for k in (1, 2, 5):
        indices, values = rng.randint(0, 6, (2, 10)), rng.randn(10, dtype=dtype)
        x, upstream = rng.randn(6, 3, dtype=dtype), rng.randn(6, 3, dtype=dtype)
        check_product(probes.product(indices, values, x, k, upstream), indices, values, x, k, upstream)


@points(1)
def test_repeated_entries(probes, rng):
    """A matrix that is not coalesced has several values for one place, which add up."""
    indices = torch.tensor([[0, 0, 0, 1, 2, 2], [1, 1, 2, 0, 2, 2]])
    values = rng.randn(6, dtype=F64)
    x, upstream = rng.randn(3, 2, dtype=F64), rng.randn(3, 2, dtype=F64)
    check_product(probes.product(indices, values, x, 3, upstream), indices, values, x, 3, upstream)


@points(3)
def test_large_graph(probes, rng):
    """With 50,000 nodes no n × n tensor fits, and powers of the matrix fill up."""
    n = 50_000
    edges, x = rng.randint(0, n, (2, 200_000)), rng.randn(n, 2)
    found = probes.large(edges, x, 10)
    source, target = edges
    degree = torch.bincount(source, minlength=n).double()
    expected = x.double()
    for _ in range(10):
        expected = torch.zeros_like(expected).index_add(0, source, expected[target] / degree[source, None])
    check(found["stored"] == len(torch.unique(source * n + target)), "one entry should be stored for each pair")
    assert_close(found["result"], expected.float(), scale=64.0, name="propagate")
