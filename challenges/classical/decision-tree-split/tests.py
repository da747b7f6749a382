"""Hidden tests: the best split of a node."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
BOTH = pytest.mark.parametrize("criterion", ["gini", "variance"])
MOST_OPERATORS = 400


def impurity(y, criterion):
    """The impurity of a list of numbers."""
    if criterion == "gini":
        return 1 - sum((y.count(c) / len(y)) ** 2 for c in set(y))
    mean = math.fsum(y) / len(y)
    return math.fsum((each - mean) ** 2 for each in y) / len(y)


def candidates(x, y, criterion, min_leaf=1):
    """All splits in the order of the statement, with their gains: one after the other."""
    n, y = len(x), y.tolist()
    whole = impurity(y, criterion)
    for j, column in enumerate(x.T.tolist()):
        for t in sorted(set(column)):
            left = [b for a, b in zip(column, y, strict=True) if a <= t]
            right = [b for a, b in zip(column, y, strict=True) if a > t]
            if min(len(left), len(right)) >= min_leaf:
                gains = (len(part) / n * impurity(part, criterion) for part in (left, right))
                yield j, t, whole - sum(gains)


def by_loops(x, y, criterion="gini", min_leaf=1):
    found, slack = list(candidates(x, y, criterion, min_leaf)), 1e-6 * impurity(y.tolist(), criterion)
    best = max((gain for _, _, gain in found), default=0.0)
    return next((split for split in found if split[2] > best - slack), None) if best > slack else None


def compare(found, wanted, scale=16.0):
    if wanted is None:
        check(found is None, "there is no split, and the result is not None")
        return
    check(found is not None, "there is a split, and the result is None")
    check(
        isinstance(found, tuple) and [type(each) for each in found] == [int, float, float],
        "the result must be (int, float, float)",
    )
    check(found[0] == wanted[0], "another feature was chosen")
    check(found[1] == wanted[1], "another threshold was chosen")
    assert_close(torch.tensor(found[2], dtype=F64), torch.tensor(wanted[2], dtype=F64), scale=scale, name="gain")


def targets(rng, n, criterion, dtype=F64):
    return rng.randint(0, 3, (n,)) if criterion == "gini" else rng.randn(n, dtype=dtype)


@sample
@points(1)
def test_by_hand(solution):
    """The second feature separates the classes: the gain is the whole impurity, one half."""
    x = torch.tensor([[1.0, 7.0], [2.0, 5.0], [2.0, 9.0], [3.0, 5.5]])
    compare(solution.best_split(x, torch.tensor([1, 0, 1, 0])), (1, 5.5, 0.5))


@sample
@points(1)
def test_variance_by_hand(solution):
    """Numbers 4, 1, 4 and 1 have the variance 2.25, and the second feature takes it all."""
    x = torch.tensor([[1.0, 7.0], [2.0, 5.0], [2.0, 9.0], [3.0, 5.5]])
    compare(solution.best_split(x, torch.tensor([4.0, 1.0, 4.0, 1.0]), "variance"), (1, 5.5, 2.25))


@sample
@points(1)
def test_nothing_to_gain(solution):
    """All rows have one class: there is nothing to gain, and the result is None."""
    compare(solution.best_split(torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([2, 2, 2])), None)


@points(3)
@EACH_DTYPE
@BOTH
@pytest.mark.parametrize("sizes", [(2, 1), (7, 3), (19, 5)], ids=["2-1", "7-3", "19-5"])
def test_like_loops(solution, rng, sizes, criterion, dtype):
    """Feature, threshold or gain differs from loops over all splits."""
    n, d = sizes
    for _ in range(10):
        x, y = rng.randn(n, d, dtype=dtype), targets(rng, n, criterion, dtype)
        compare(solution.best_split(x, y, criterion), by_loops(x, y, criterion))


@points(3)
@BOTH
def test_equal_values(solution, rng, criterion):
    """Rows with equal values in a column stay together: no threshold lies between them."""
    for _ in range(10):
        x, y = rng.randint(0, 3, (17, 3)).double() / 4, targets(rng, 17, criterion)
        compare(solution.best_split(x, y, criterion), by_loops(x, y, criterion))


@points(2)
@BOTH
def test_constant_columns(solution, rng, criterion):
    """A constant column has no split, whatever it would gain in the order of the rows."""
    y = targets(rng, 11, criterion).sort().values
    y[-1] = y[0] + 1
    x = torch.stack([torch.full((11,), 2.0), rng.permutation(11).float(), torch.zeros(11)], 1)
    compare(solution.best_split(x, y, criterion), by_loops(x, y, criterion))
    compare(solution.best_split(x[:, [0, 2]], y, criterion), None)


@points(3)
@BOTH
def test_ties_between_features(solution, rng, criterion):
    """Of features with the same gain, the first: also where it orders the rows the other way round."""
    for _ in range(6):
        base, y = rng.permutation(13).double(), targets(rng, 13, criterion)
        y[0] = y[1] + 1
        for x in (
            torch.stack([torch.zeros(13).double(), -base, base, base], 1),
            torch.stack([base * 2, base.exp(), -base], 1),
        ):
            compare(solution.best_split(x, y, criterion), by_loops(x, y, criterion))


@points(3)
@BOTH
def test_ties_between_thresholds(solution, rng, criterion):
    """Targets that read the same from both ends: of two equal gains, the smaller threshold, whatever rounding says."""
    for size in 6 * (6, 9, 15):  # rounding decides in some draws only
        half = targets(rng, size, criterion) * (1 if criterion == "gini" else 10 / 3)
        half[0], half[-1] = half[1] + 1, half[1]
        y = torch.cat([half, half.flip(0)])
        order = rng.permutation(2 * size)
        x = torch.arange(2 * size).double()[:, None] / 7
        compare(solution.best_split(x[order], y[order], criterion), by_loops(x, y, criterion))


@points(2)
def test_a_small_difference_is_no_tie(solution, rng):
    """A gain that is larger by a thousandth wins, wherever it stands."""
    y = torch.cat([torch.zeros(40), torch.ones(40)]).long()
    first = torch.arange(80).double()
    worse = first.clone()
    worse[[0, 79]] = worse[[79, 0]]
    x = torch.stack([worse, first], 1)
    compare(solution.best_split(x, y), by_loops(x, y))
    z = y.double()
    z[39] += 0.05
    compare(solution.best_split(x, z, "variance"), by_loops(x, z, "variance"))


@points(1)
def test_a_rare_class(solution, rng):
    """One row of 3001 has another class: its gain is tiny, and still far more than a millionth of the impurity."""
    n, at = 3001, 2000
    order = rng.permutation(n)
    x, y = (torch.arange(n) >= at).double()[:, None], (torch.arange(n) == at).long()
    # One candidate, and its left side is pure. H = 2/n - 2/n², and the right side is left with 2/n - 2/(n(n - at)).
    compare(solution.best_split(x[order], y[order]), (0, 0.0, 2 / (n * (n - at)) - 2 / n**2), scale=2.0**12)


@points(2)
@BOTH
@pytest.mark.parametrize("min_leaf", [2, 4, 6])
def test_small_leaves(solution, rng, min_leaf, criterion):
    """Both sides need min_leaf rows; a split that leaves exactly as many is permitted."""
    for n in 5 * (12, 13):
        x, y = rng.randn(n, 3, dtype=F64), targets(rng, n, criterion)
        compare(solution.best_split(x, y, criterion, min_leaf), by_loops(x, y, criterion, min_leaf))
    edge = torch.tensor([1] * min_leaf + [0] * 20)
    column = torch.arange(20.0 + min_leaf)[:, None]
    compare(solution.best_split(column, edge, "gini", min_leaf), by_loops(column, edge, "gini", min_leaf))
    compare(solution.best_split(-column, edge, min_leaf=min_leaf), by_loops(-column, edge, "gini", min_leaf))
    few = torch.tensor([0] * 20 + [1] * (min_leaf - 1))  # the split that gains most leaves too few rows on one side
    column = torch.arange(19.0 + min_leaf)[:, None]
    for rows in (column, -column):
        compare(solution.best_split(rows, few, "gini", min_leaf), by_loops(rows, few, "gini", min_leaf))


@points(2)
@BOTH
def test_no_split(solution, rng, criterion):
    """None for a single row, for too few rows, for equal rows, for equal targets, and where no split gains anything."""
    kind = (lambda y: torch.tensor(y)) if criterion == "gini" else (lambda y: torch.tensor(y).double() / 3)
    x = rng.randn(5, 2)
    cases = [(x[:1], kind([1]), 1), (x, kind([0, 1, 0, 1, 1]), 3), (x[:1].expand(5, 2), kind([0, 1, 0, 1, 1]), 1)]
    cases += [(x, kind([1] * 5), 1), (x[:2], kind([0, 1]), 2)]
    corners = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]).repeat(3, 1)
    cases += [(corners, kind([0, 1, 1, 0] * 3), 1)]
    for rows, y, min_leaf in cases:
        compare(solution.best_split(rows, y, criterion, min_leaf), None)


@points(3)
@EACH_DTYPE
def test_far_from_zero(solution, rng, dtype):
    """The variance of targets far from 0: a difference of two large squares has no digits left."""
    x, y = rng.randn(23, 2, dtype=dtype), rng.randint(-8, 9, (23,)).to(dtype)
    wanted = by_loops(x, y, "variance")
    compare(solution.best_split(x, y + (2.0**20 if dtype == F32 else 2.0**29), "variance"), wanted, scale=2.0**12)


@points(2)
def test_values_side_by_side(solution):
    """Neighbouring numbers of float32 are different values: the threshold is the one that goes left, not what lies between."""
    one = torch.tensor(1.0)
    above = torch.nextafter(one, torch.tensor(2.0))
    x = torch.stack([above, one, above, one, one])[:, None]
    y = [1, 0, 1, 0, 0]
    compare(solution.best_split(x, torch.tensor(y)), (0, 1.0, impurity(y, "gini")))
    x = torch.tensor([[3e38], [-3e38], [3e38]])
    compare(solution.best_split(x, torch.tensor([0, 1, 0])), (0, x[1].item(), impurity([0, 1, 0], "gini")))


@points(2)
@BOTH
def test_order_of_rows(solution, rng, criterion):
    """The order of the rows must not matter."""
    x, y = rng.randn(14, 4, dtype=F64), targets(rng, 14, criterion)
    y[0] = y[1] + 1
    order = rng.permutation(14)
    compare(solution.best_split(x[order], y[order], criterion), solution.best_split(x, y, criterion))


@points(2)
@BOTH
def test_scale_of_a_feature(solution, rng, criterion):
    """A feature may be stretched, as long as its order stays: same feature, same gain, and the threshold is stretched along."""
    x, y = rng.randn(14, 3, dtype=F64), targets(rng, 14, criterion)
    y[0] = y[1] + 1
    feature, threshold, gain = by_loops(x, y, criterion)
    row = int((x[:, feature] == threshold).nonzero()[0])
    stretched = x.exp() * 100
    compare(solution.best_split(stretched, y, criterion), (feature, stretched[row, feature].item(), gain))


@points(2)
def test_names_of_classes(solution, rng):
    """Classes have no order: numbering them differently gives the same split, even if some numbers are unused."""
    for names in 5 * ([2, 0, 1], [0, 6, 3]):
        x, y = rng.randn(17, 3, dtype=F64), targets(rng, 17, "gini")
        y[0] = (y[1] + 1) % 3
        compare(solution.best_split(x, torch.tensor(names)[y]), by_loops(x, y))


@points(2)
def test_two_classes_are_two_numbers(solution, rng):
    """For classes 0 and 1 the Gini impurity is twice the variance, so the split is the same and the gain half as large."""
    x, y = rng.randn(15, 3, dtype=F64), (rng.rand(15) < 0.4).long()
    y[0] = 1 - y[1]
    feature, threshold, gain = by_loops(x, y)
    compare(solution.best_split(x, y.double(), "variance"), (feature, threshold, gain / 2))
    compare(solution.best_split(x, 3 - 4 * y.double(), "variance"), (feature, threshold, gain * 8))


@points(2)
@pytest.mark.parametrize(
    "bad", [{"criterion": "entropy"}, {"criterion": "Gini"}, {"min_leaf": 0}, {"min_leaf": -1}], ids=str
)
def test_settings_that_make_no_sense(solution, rng, bad):
    """An unknown criterion and a min_leaf below 1 are a ValueError, also where there is nothing to split."""
    for n in (1, 6):
        with pytest.raises(ValueError):
            solution.best_split(rng.randn(n, 2), torch.arange(n) % 2, **bad)


@attested
@points(3)
@BOTH
def test_all_at_once(solution, attest, rng, criterion):
    """The number of operators must not grow with features or rows, and no tensor compares all thresholds with all rows."""
    x, y = rng.randn(60, 50), targets(rng, 60, criterion, F32)
    seen = attest(solution.best_split, x, y, criterion)
    calls = sum(count for name, count in seen.operators.items() if name.startswith("aten::"))
    check(calls <= MOST_OPERATORS, f"50 features of 60 rows took over {MOST_OPERATORS} operators: is there a loop?")
    classes = 3 if criterion == "gini" else 1
    check(seen.largest_numel <= 60 * 50 * classes, "a tensor on the way is larger than the statement allows")


@points(1)
def test_inputs(solution, rng):
    """Arguments are left as they were, and transposed views are ordinary inputs."""
    x, y = rng.randn(3, 11, dtype=F64).T, rng.randn(22, dtype=F64)[::2]
    found = assert_not_mutated(solution.best_split, x, y, "variance", 2)
    compare(found, by_loops(x, y, "variance", 2))
