"""Hidden tests: products with structure, against sums over elements."""

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, assert_same_gradients, attested, check, points, sample

F32, F64, I64 = torch.float32, torch.float64, torch.int64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EACH_HALF = pytest.mark.parametrize("upper", [False, True], ids=["lower", "upper"])


def true_diagonal(d, x, right=False):
    full = torch.diag_embed(d)
    return x @ full if right else full @ x


def half(x, upper):
    return x.triu() if upper else x.tril()


def true_triangular(a, b, upper=False):
    return half(a, upper) @ half(b, upper)


def true_symmetric(packed, x):
    rows, at = [], 0
    for i in range(len(x)):
        rows.append(packed[at : at + i + 1])
        at += i + 1
    full = torch.stack([torch.stack([rows[max(i, j)][min(i, j)] for j in range(len(x))]) for i in range(len(x))])
    return full @ x


def true_last(x, w):
    return (x[..., None] * w).sum(-2)


def true_power(a, k):
    """One factor after the other."""
    out = torch.eye(a.shape[-1], dtype=a.dtype).expand(a.shape) + 0 * a
    for _ in range(k):
        out = out @ a
    return out


@sample
@points(1)
def test_diagonal_by_hand(solution):
    """From the left a diagonal multiplies rows, from the right columns."""
    d, x = torch.tensor([10.0, 100.0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert_close(solution.diagonal_product(d, x), torch.tensor([[10.0, 20.0], [300.0, 400.0]]))
    assert_close(solution.diagonal_product(d, x, True), torch.tensor([[10.0, 200.0], [30.0, 400.0]]))


@sample
@points(1)
def test_triangles_by_hand(solution):
    """The 9s of the upper half do not count."""
    a, b = torch.tensor([[1.0, 9.0], [2.0, 3.0]]), torch.tensor([[4.0, 9.0], [5.0, 6.0]])
    assert_close(solution.triangular_product(a, b), torch.tensor([[4.0, 0.0], [23.0, 18.0]]))
    assert_close(solution.symmetric_product(torch.tensor([1.0, 2.0, 3.0]), a), torch.tensor([[5.0, 15.0], [8.0, 27.0]]))


@sample
@points(1)
def test_fibonacci(solution):
    """The powers of this matrix hold the Fibonacci numbers: the twelfth is 144."""
    a = torch.tensor([[1, 1], [1, 0]])
    assert_close(solution.matrix_power(a, 12), torch.tensor([[233, 144], [144, 89]]))
    assert_close(solution.matrix_power(a, 0), torch.tensor([[1, 0], [0, 1]]))


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("right", [False, True], ids=["left", "right"])
def test_diagonal_product(solution, rng, dtype, right):
    """A product with a diagonal or its gradient differs."""
    for leading in ((), (2,), (3, 1, 2)):
        d, x = rng.randn(*leading, 5 if right else 3, dtype=dtype), rng.randn(*leading, 3, 5, dtype=dtype)
        inputs = (d, x, right)
        assert_same_gradients(solution.diagonal_product, true_diagonal, inputs, wrt=[0, 1], names=("d", "x"), scale=4.0)
    d, x = rng.randn(4, dtype=dtype), rng.randn(4, 4, dtype=dtype)
    assert_close(solution.diagonal_product(d, x, right), true_diagonal(d, x, right))


@points(3)
@EACH_HALF
@EACH_DTYPE
def test_triangular_product(solution, rng, dtype, upper):
    """A product of triangles or its gradient differs: both factors, diagonals included, and nothing else."""
    for shape in ((5, 5), (1, 1), (2, 3, 4, 4)):
        inputs = (rng.randn(*shape, dtype=dtype), rng.randn(*shape, dtype=dtype), upper)
        assert_same_gradients(
            solution.triangular_product, true_triangular, inputs, wrt=[0, 1], names=("a", "b"), scale=4.0
        )


@points(2)
@EACH_HALF
@pytest.mark.parametrize("other", ["nan", "inf", "-inf"])
def test_the_other_half(solution, rng, other, upper):
    """NaN and infinities in the other half must not reach the result or a gradient: choose a half, do not multiply by zeros."""
    a, b = rng.randn(4, 4, dtype=F64), rng.randn(4, 4, dtype=F64)
    outside = ~half(torch.ones(4, 4), upper).bool()
    wild = [x.masked_fill(outside, float(other)).requires_grad_() for x in (a, b)]
    tame = [x.clone().requires_grad_() for x in (a, b)]
    found, expected = solution.triangular_product(*wild, upper), true_triangular(*tame, upper)
    assert_close(found.detach(), expected.detach())
    found.square().sum().backward()
    expected.square().sum().backward()
    for one, two, name in zip(wild, tame, "ab", strict=True):
        check(one.grad is not None, f"{name} received no gradient")
        assert_close(one.grad, two.grad, scale=8.0, name=f"gradient of {name}")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_symmetric_product(solution, rng, dtype, n):
    """A product or gradient differs: a number beside the diagonal stands in two places, one on it in one."""
    inputs = rng.randn(n * (n + 1) // 2, dtype=dtype), rng.randn(n, 4, dtype=dtype)
    assert_same_gradients(solution.symmetric_product, true_symmetric, inputs, names=("packed", "x"), scale=4.0)


@points(1)
def test_symmetry(solution, rng):
    """The product with the identity is the matrix itself: it must equal its transpose, and hold the packed numbers."""
    packed = rng.randn(15, dtype=F64)
    full = solution.symmetric_product(packed, torch.eye(5, dtype=F64))
    assert_close(full, full.T, name="the matrix")
    row, column = torch.tril_indices(5, 5)
    assert_close(full[row, column], packed, name="lower half")


@points(2)
@EACH_DTYPE
def test_last_dimension_product(solution, rng, dtype):
    """A product along the last dimension or its gradient differs, for vectors, matrices and volumes."""
    for shape in ((3,), (2, 3), (4, 2, 3), (2, 4, 3, 3), (1, 1, 1, 3)):
        inputs = rng.randn(*shape, dtype=dtype), rng.randn(3, 5, dtype=dtype)
        assert_same_gradients(solution.last_dimension_product, true_last, inputs, names=("x", "w"), scale=4.0)
    inputs = rng.randn(3, 3, 3, dtype=dtype), rng.randn(3, 3, dtype=dtype)
    assert_close(solution.last_dimension_product(*inputs), true_last(*inputs), scale=4.0)


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("k", [0, 1, 2, 3, 6, 13])
def test_matrix_power(solution, rng, dtype, k):
    """A power or its gradient differs: which squares belong to the binary digits of k?"""
    for shape in ((3, 3), (1, 1), (2, 1, 4, 4)):
        a = rng.randn(*shape, dtype=dtype) / shape[-1] ** 0.5
        assert_same_gradients(solution.matrix_power, true_power, (a, k), wrt=[0], names=("a",), scale=64.0)


@points(2)
@pytest.mark.parametrize("k", [0, 1, 5, 20, 31])
def test_whole_numbers(solution, rng, k):
    """Powers of whole numbers are exact, and have dtype int64."""
    a = rng.randint(-2, 3, (3, 3))
    assert_close(solution.matrix_power(a, k), true_power(a, k))
    large = torch.tensor([[3, 1], [1, 2]])
    assert_close(solution.matrix_power(large, k), true_power(large, k))
    step = torch.tensor([[1, 2**40], [0, 1]])
    assert_close(solution.matrix_power(step, k), torch.tensor([[1, k * 2**40], [0, 1]]))


@points(2)
def test_high_powers(solution):
    """A rotation by one degree, 360 and 10000 times; a shift that is the identity again after five steps."""
    angle = torch.tensor(torch.pi / 180, dtype=F64)
    turn = torch.stack([torch.stack([angle.cos(), -angle.sin()]), torch.stack([angle.sin(), angle.cos()])])
    assert_close(solution.matrix_power(turn, 360), torch.eye(2, dtype=F64))
    whole = 10000 * angle
    expected = torch.stack([torch.stack([whole.cos(), -whole.sin()]), torch.stack([whole.sin(), whole.cos()])])
    assert_close(solution.matrix_power(turn, 10000), expected)
    shift = torch.eye(5, dtype=I64).roll(1, 0)
    for k in (5, 9998, 9999, 10000):
        assert_close(solution.matrix_power(shift, k), torch.eye(5, dtype=I64).roll(k, 0))


@points(2)
def test_powers_add_up(solution, rng):
    """The powers of k and of m multiply to the power of k + m, in either order."""
    a = rng.randn(4, 4, dtype=F64) / 2
    for k, m in ((3, 4), (1, 8), (0, 5)):
        both = solution.matrix_power(a, k) @ solution.matrix_power(a, m)
        assert_close(both, solution.matrix_power(a, k + m), scale=8.0)


@points(2)
def test_layouts_and_arguments(solution, rng):
    """Transposed and strided arguments are ordinary, and none is changed."""
    a, b = rng.randn(8, 4, dtype=F64)[::2].T, rng.randn(4, 8, dtype=F64)[:, ::2]
    d = rng.randn(8, dtype=F64)[::2]
    assert_close(assert_not_mutated(solution.diagonal_product, d, a), true_diagonal(d, a))
    assert_close(assert_not_mutated(solution.triangular_product, a, b), true_triangular(a, b))
    packed = rng.randn(20, dtype=F64)[::2]
    assert_close(assert_not_mutated(solution.symmetric_product, packed, a), true_symmetric(packed, a))
    assert_close(assert_not_mutated(solution.last_dimension_product, a, b), true_last(a, b))
    assert_close(assert_not_mutated(solution.matrix_power, a, 3), true_power(a, 3), scale=8.0)


@attested
@points(1)
def test_no_diagonal_matrix(solution, attest, rng):
    """A tensor on the way has more elements than x: the diagonal matrix was built."""
    for right in (False, True):
        d, x = rng.randn(3 if right else 50), rng.randn(50, 3)
        d, x = (rng.randn(50), x.T) if right else (d, x)
        seen = attest(solution.diagonal_product, d, x, right)
        check(seen.largest_numel <= 150, "a tensor on the way is larger than x")


@attested
@points(1)
def test_few_products(solution, attest, rng):
    """More than 100 calls into torch for a power of 10000: square instead of multiplying again and again."""
    seen = attest(solution.matrix_power, rng.rand(3, 3) / 3, 10000).operators
    used = sum(count for each, count in seen.items() if each.startswith("torch.") and not each.endswith("__get__"))
    check(used <= 100, f"{used} calls into torch, and at most 100 are allowed")


@points(1)
def test_negative_power(solution):
    """A negative power is a ValueError."""
    for k in (-1, -7):
        with pytest.raises(ValueError):
            solution.matrix_power(torch.eye(2), k)
