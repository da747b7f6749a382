"""Hidden tests: nearest neighbours in bounded memory."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
METRICS = pytest.mark.parametrize("metric", ["l2", "cosine"])


def expected(queries, rows, k, metric="l2"):
    """All distances in float64, and a stable sort."""
    q, r = queries.to(F64)[:, None], rows.to(F64)[None]
    if metric == "l2":
        all_of_them = (q - r).square().sum(-1).sqrt()
    else:
        norms = q.norm(dim=-1) * r.norm(dim=-1)
        cos = (q * r).sum(-1) / norms
        all_of_them = 1 - torch.where(norms == 0, 0.0, cos)
    found = all_of_them.sort(dim=1, stable=True)
    return found.values[:, :k].to(queries.dtype), found.indices[:, :k]


def compare(found, wanted, scale=16.0):
    # A small cosine distance is the difference of two numbers near 1, so its rounding error is that of 1.
    check(isinstance(found, tuple) and len(found) == 2, "the result must be a pair: distances and indices")
    assert_close(found[0], wanted[0], scale=scale, name="distances")
    assert_close(found[1], wanted[1], name="indices")


def spread(rng, n, d, dtype):
    """Rows whose distances from each other differ clearly."""
    return rng.permutation(n)[:, None].to(dtype) * 0.5 + rng.randn(n, d, dtype=dtype)


def without_near_ties(draw, k, metric="l2"):
    """Queries and rows, redrawn until no two of the k + 1 nearest are about equally far: rounding would decide which is first."""
    while True:
        queries, rows = draw()
        nearest, _ = expected(queries.to(F64), rows.to(F64), k + 1, metric)
        if bool((nearest.diff(dim=1) > 1e-4).all()):
            return queries, rows


@sample
@points(1)
def test_by_hand(solution):
    """Distances 0, 1 and 5; of the two rows at distance 5, the first."""
    rows = torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0], [3.0, 4.0]])
    found = solution.nearest(torch.tensor([[0.0, 0.0]]), rows, 3)
    compare(found, (torch.tensor([[0.0, 1.0, 5.0]]), torch.tensor([[0, 2, 1]])))


@sample
@points(1)
def test_angles_by_hand(solution):
    """Cosine distances 0, 1 and 2: the same direction, a right angle, the opposite direction."""
    rows = torch.tensor([[-2.0, 0.0], [0.0, 3.0], [5.0, 0.0]])
    found = solution.nearest(torch.tensor([[1.0, 0.0]]), rows, 3, metric="cosine")
    compare(found, (torch.tensor([[0.0, 1.0, 2.0]]), torch.tensor([[2, 1, 0]])))


@sample
@points(1)
def test_chunks_change_nothing(solution, rng):
    """Five queries in chunks of two give what they give at once."""
    queries, rows = without_near_ties(lambda: (rng.randn(5, 3), spread(rng, 8, 3, F32)), 2)
    compare(solution.nearest(queries, rows, 2, chunk=2), expected(queries, rows, 2))


@points(3)
@EACH_DTYPE
@METRICS
@pytest.mark.parametrize("sizes", [(1, 9, 2, 1), (6, 11, 3, 4), (13, 7, 5, 7)], ids=str)
def test_values(solution, rng, sizes, metric, dtype):
    """Distances or indices differ."""
    m, n, d, k = sizes
    queries, rows = without_near_ties(lambda: (spread(rng, m, d, dtype), spread(rng, n, d, dtype)), k, metric)
    compare(solution.nearest(queries, rows, k, metric), expected(queries, rows, k, metric))


@points(2)
@pytest.mark.parametrize("chunk", [1, 3, 4, 12, 1000])
def test_chunks(solution, rng, chunk):
    """The size of the chunk changes the result: is the last chunk, or the order of the queries, lost?"""
    queries, rows = rng.randn(12, 4, dtype=F64), spread(rng, 9, 4, F64)
    for metric in ("l2", "cosine"):
        compare(solution.nearest(queries, rows, 3, metric, chunk), expected(queries, rows, 3, metric))


@points(3)
@METRICS
def test_equal_distances(solution, rng, metric):
    """Of equal distances, the smaller index comes first, with many duplicates."""
    # A matrix product may round equal columns differently, so for the cosine every product but one is with zero.
    few = {
        "l2": torch.tensor([[1.0, 2.0], [4.0, -3.0], [-5.0, 1.0]]),
        "cosine": torch.tensor([[2.0, 0.0], [0.0, 1.0], [-4.0, 0.0]]),
    }[metric]
    rows = few[rng.randint(0, 3, (60,))]
    queries = torch.tensor([[1.0, 1.5], [4.0, -2.0], [-2.0, 0.5]])
    compare(solution.nearest(queries, rows, 45, metric), expected(queries, rows, 45, metric))


@points(2)
def test_equal_distances_in_other_directions(solution):
    """Rows on a circle around the query have equal distances: the order is that of the indices."""
    rows = torch.tensor([[3.0, 4.0], [5.0, 0.0], [-4.0, 3.0], [0.0, -5.0], [1.0, 0.0], [-5.0, 0.0]])
    found = solution.nearest(torch.zeros(1, 2), rows, 6)
    compare(found, (torch.tensor([[1.0, 5.0, 5.0, 5.0, 5.0, 5.0]]), torch.tensor([[4, 0, 1, 2, 3, 5]])))


@points(2)
@EACH_DTYPE
def test_rows_without_direction(solution, dtype):
    """The cosine with a zero row or a zero query counts as 0, so the distance is 1."""
    rows = torch.tensor([[0.0, 0.0], [-1.0, 0.0], [2.0, 0.0], [0.0, 0.0]], dtype=dtype)
    found = solution.nearest(torch.tensor([[3.0, 0.0], [0.0, 0.0]], dtype=dtype), rows, 4, metric="cosine")
    wanted = torch.tensor([[0.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 1.0]], dtype=dtype)
    compare(found, (wanted, torch.tensor([[2, 0, 3, 1], [0, 1, 2, 3]])))


@points(1)
def test_short_rows_have_a_direction(solution):
    """Very short rows have a direction, too: only zeros have none."""
    rows = torch.tensor([[0.0, 1e-14], [1e-14, 0.0], [-1e-14, 1e-14]])
    found = solution.nearest(torch.tensor([[1e-10, 0.0]]), rows, 3, metric="cosine")
    compare(found, (torch.tensor([[0.0, 1.0, 1.0 + 0.5**0.5]]), torch.tensor([[1, 0, 2]])))


@points(3)
@EACH_DTYPE
def test_far_from_the_origin(solution, rng, dtype):
    """Small distances between large numbers: |q|² − 2qr + |r|² loses every digit here."""
    offset = 4096.0 * torch.ones(3, dtype=dtype)
    # More than 25 rows, where the default of torch.cdist multiplies matrices instead of subtracting.
    steps = torch.arange(1, 31, dtype=dtype)[rng.permutation(30)] / 64
    rows = offset + steps[:, None] * torch.tensor([1.0, 0.0, 0.0], dtype=dtype)
    compare(solution.nearest(offset[None], rows, 8), expected(offset[None], rows, 8))


@points(2)
@METRICS
def test_no_queries(solution, rng, metric):
    """Without queries, the results have no lines, and k columns."""
    found = solution.nearest(torch.zeros(0, 3), rng.randn(5, 3), 2, metric)
    compare(found, (torch.zeros(0, 2), torch.zeros(0, 2, dtype=torch.int64)))


@points(2)
@pytest.mark.parametrize(
    "bad",
    [{"k": 0}, {"k": 6}, {"k": -1}, {"metric": "dot"}, {"metric": "L2"}, {"chunk": 0}, {"chunk": -2}],
    ids=lambda bad: "-".join(f"{a}-{b}" for a, b in bad.items()),
)
def test_settings_that_make_no_sense(solution, rng, bad):
    """k outside 1 to n, an unknown metric and a chunk below 1 are a ValueError, also without queries."""
    for queries in (rng.randn(2, 3), torch.zeros(0, 3)):
        with pytest.raises(ValueError):
            solution.nearest(queries, rng.randn(5, 3), **({"k": 2} | bad))


@points(1)
@attested
@METRICS
def test_small_intermediates(attest, solution, rng, metric):
    """No tensor is larger than a chunk of distances: neither all distances, nor differences of three dimensions."""
    queries, rows = rng.randn(64, 2), rng.randn(32, 2)
    seen = attest(solution.nearest, queries, rows, 2, metric, 4)
    check(seen.largest_numel <= 96 * 2, "a tensor is larger than the statement allows")
    seen = attest(solution.nearest, rng.randn(300, 1), rng.randn(8, 1), 1, metric)
    check(seen.largest_numel <= 256 * 8, "a tensor is larger than the statement allows for the default chunk")


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, and transposed views are ordinary inputs."""
    queries, rows = rng.randn(3, 4, dtype=F64).T, spread(rng, 6, 3, F64).T.contiguous().T
    found = assert_not_mutated(solution.nearest, queries, rows, 3, "cosine", 2)
    compare(found, expected(queries, rows, 3, "cosine"))
