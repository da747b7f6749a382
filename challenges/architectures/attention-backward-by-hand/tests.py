"""Hidden tests: attention, and its gradients as formulas."""

import math

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
T, S, D, M = 5, 7, 3, 2
NAMES = ("dq", "dk", "dv")


def drawn(rng, q=(), k=(), v=(), grad=(), dtype=F64):
    """q, k, v and grad with these leading dimensions."""
    shapes = (*q, T, D), (*k, S, D), (*v, S, M), (*grad, T, M)
    return [rng.randn(*shape, dtype=dtype) for shape in shapes]


def forward(solution, *args):
    with torch.inference_mode():
        return solution.attention(*args)


def backward(solution, *args):
    with torch.inference_mode():
        found = solution.attention_backward(*args)
    check(type(found) is tuple and len(found) == 3, "attention_backward must return the tuple (dq, dk, dv)")
    return found


def defined(q, k, v, mask):
    """From the definition: each query picks the keys that it may see. With a graph."""
    if mask is None:
        mask = torch.ones(1, 1, dtype=torch.bool)
    mask = mask.expand(torch.broadcast_shapes(mask.shape, (q.shape[-2], k.shape[-2])))
    lead = torch.broadcast_shapes(*(t.shape[:-2] for t in (q, k, v, mask)))
    full = [t.expand(*lead, *t.shape[-2:]).reshape(-1, *t.shape[-2:]) for t in (q, k, v, mask)]
    out = []
    for one_q, one_k, one_v, allowed in zip(*full, strict=True):
        for t in range(q.shape[-2]):
            keys, values = one_k[allowed[t]], one_v[allowed[t]]
            out.append(((keys * one_q[t]).sum(-1) / math.sqrt(q.shape[-1])).softmax(0) @ values)
    shape = (*lead, q.shape[-2], v.shape[-1])
    return torch.stack(out).reshape(shape) if out else (q.sum() + k.sum() + v.sum()) * v.new_zeros(shape)


def expected(q, k, v, grad, mask=None):
    """The output, and the three gradients by autograd."""
    leaves = [t.detach().clone().requires_grad_() for t in (q, k, v)]
    out = defined(*leaves, mask)
    found = torch.autograd.grad(out, leaves, grad, allow_unused=True)
    return out.detach(), [torch.zeros_like(t) if g is None else g for t, g in zip(leaves, found, strict=True)]


def compare(solution, q, k, v, grad, mask=None, scale=4.0):
    out, gradients = expected(q, k, v, grad, mask)
    assert_close(forward(solution, q, k, v, mask), out, name="output")
    for name, mine, true in zip(NAMES, backward(solution, q, k, v, grad, mask), gradients, strict=True):
        assert_close(mine, true, scale=scale, name=name)


@sample
@points(1)
def test_equal_scores_by_hand(solution):
    """Equal scores: the output is a mean, and the gradient of a score is the weight times what its value is above the mean."""
    q, k = torch.tensor([[0.0], [0.0], [0.0]]), torch.tensor([[1.0], [2.0]])
    v, mask = torch.tensor([[4.0], [8.0]]), torch.tensor([[True, True], [True, False], [False, False]])
    assert_close(forward(solution, q, k, v, mask), torch.tensor([[6.0], [4.0], [0.0]]))
    dq, dk, dv = backward(solution, q, k, v, torch.ones(3, 1), mask)
    assert_close(dq, torch.tensor([[1.0], [0.0], [0.0]]), name="dq")
    assert_close(dk, torch.zeros(2, 1), name="dk")
    assert_close(dv, torch.tensor([[1.5], [0.5]]), name="dv")


@sample
@points(1)
def test_three_to_one_by_hand(solution):
    """d = 4: the scores are ln 3 and 0, the weights 3/4 and 1/4."""
    q = torch.tensor([[2 * math.log(3), 0.0, 0.0, 0.0]])
    k = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    v, grad = torch.tensor([[4.0, 0.0], [0.0, 8.0]]), torch.tensor([[2.0, 0.0]])
    assert_close(forward(solution, q, k, v), torch.tensor([[3.0, 2.0]]))
    # grad · v is 8 and 0, its mean 6: the scores get 3/4 · 2 and 1/4 · (−6), divided by √4
    dq, dk, dv = backward(solution, q, k, v, grad)
    assert_close(dq, torch.tensor([[0.75, -0.75, 0.0, 0.0]]), name="dq")
    assert_close(dk, 1.5 * math.log(3) * torch.tensor([[1.0, 0, 0, 0], [-1.0, 0, 0, 0]]), name="dk")
    assert_close(dv, torch.tensor([[1.5, 0.0], [0.5, 0.0]]), name="dv")


@sample
@points(1)
def test_shared_keys(solution, rng):
    """Two sequences of queries share one set of keys and values, whose gradients are sums over both."""
    q, k, v, grad = drawn(rng, q=(2,), grad=(2,))
    _, gradients = expected(q, k, v, grad)
    for name, mine, true in zip(NAMES, backward(solution, q, k, v, grad), gradients, strict=True):
        assert_close(mine, true, scale=4.0, name=name)


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("lead", [(), (2, 3)], ids=["matrix", "heads"])
def test_without_a_mask(solution, rng, lead, dtype):
    """An output or a gradient differs: five products, the row sum of the softmax, and the scale on both sides."""
    compare(solution, *drawn(rng, lead, lead, lead, lead, dtype=dtype))


@points(1)
def test_equal_sizes(solution, rng):
    """With T = S = d = m each product fits with either factor transposed: only one of them is right."""
    compare(solution, *(rng.randn(2, 3, 3, dtype=F64) for _ in range(4)))


@points(2)
@EACH_DTYPE
def test_masks(solution, rng, dtype):
    """With a mask, an output or a gradient differs: hide keys before the normalisation, and in backward too."""
    mask = rng.mask(2, T, S, p=0.6)
    mask[:, :, 0] |= ~mask.any(-1)
    compare(solution, *drawn(rng, *[(2,)] * 4, dtype=dtype), mask)


@points(3)
@pytest.mark.parametrize(
    ("shape", "lead"),
    [((S,), ()), ((T, 1), ()), ((3, 1, S), (3,)), ((3, 1, T, S), (3, 2)), ((3, T, S), (3,)), ((1, 1, 1), (1,))],
    ids=["keys", "queries", "padding", "heads", "batch-of-the-mask", "ones"],
)
def test_shapes_of_the_mask(solution, rng, shape, lead):
    """A mask of this shape gives a wrong result: it broadcasts to the scores, and may bring leading dimensions of its own."""
    mask = rng.mask(*shape)
    mask.view(-1)[0] = True
    inner = lead[1:]
    compare(solution, *drawn(rng, inner, inner, inner, lead), mask)


@points(3)
@pytest.mark.parametrize(
    ("q", "k", "v", "lead"),
    [
        ((2, 3), (3,), (3,), (2, 3)),
        ((), (2, 3), (2, 3), (2, 3)),
        ((2, 3), (2, 1), (2, 1), (2, 3)),
        ((2, 1), (1, 3), (3,), (2, 3)),
        ((), (), (3, 2), (3, 2)),
        ((1, 1), (2,), (), (1, 2)),
    ],
    ids=["one-batch", "one-query-set", "one-key-head", "crossed", "many-values", "ones-stay"],
)
def test_broadcasting(solution, rng, q, k, v, lead):
    """A tensor that was broadcast has a gradient of another shape or value: sum over the copies, and keep its own sizes of 1."""
    mask = rng.mask(T, S, p=0.7)
    mask[:, 0] = True
    compare(solution, *drawn(rng, q, k, v, lead), mask)


@points(2)
def test_size_one(solution, rng):
    """One query, one key and one number are sizes like others: a single key gets all the weight and no gradient."""
    q, k, v, grad = (rng.randn(3, 1, 1, dtype=F64) for _ in range(4))
    assert_close(forward(solution, q, k, v), v, name="output")
    dq, dk, dv = backward(solution, q, k, v, grad)
    assert_close(torch.cat([dq, dk]), torch.zeros(6, 1, 1, dtype=F64), name="dq and dk")
    assert_close(dv, grad, name="dv")
    # one key for several queries, and several keys for one query, where nothing was broadcast
    for rows, keys in ((T, 1), (1, S)):
        shapes = (1, rows, D), (1, keys, D), (1, keys, M), (1, rows, M)
        compare(solution, *(rng.randn(*shape, dtype=F64) for shape in shapes))


@points(3)
@EACH_DTYPE
def test_rows_without_keys(solution, rng, dtype):
    """A query that may attend to nothing has the output 0 and the gradient 0, and leaves the other gradients finite."""
    inputs = drawn(rng, *[(2,)] * 4, dtype=dtype)
    mask = rng.mask(2, T, S, p=0.6)
    mask[:, :, 0] = True
    mask[0, 1] = mask[1, 3] = mask[1, 4] = False
    compare(solution, *inputs, mask)
    out, dq = forward(solution, *inputs[:3], mask), backward(solution, *inputs, mask)[0]
    for result in (out, dq):
        check(not bool(result[~mask.any(-1)].any()), "a query without keys has an output or a gradient that is not 0")
    for result in (forward(solution, *inputs[:3], ~mask & mask), *backward(solution, *inputs, ~mask & mask)):
        check(not bool(result.any()), "with everything hidden, all results are 0")


@points(2)
@pytest.mark.parametrize("masked", [False, True], ids=["no-mask", "mask"])
def test_sizes_of_zero(solution, rng, masked):
    """No keys, no queries or an empty batch: the results have their shapes, and are zeros where there is anything."""
    for lead, rows, keys in (((2,), T, 0), ((2,), 0, S), ((0,), T, S)):
        mask = rng.mask(*lead, rows, keys) if masked else None
        shapes = (*lead, rows, D), (*lead, keys, D), (keys, M), (*lead, rows, M)
        q, k, v, grad = (rng.randn(*shape, dtype=F64) for shape in shapes)
        assert_close(forward(solution, q, k, v, mask), torch.zeros_like(grad), name="output")
        for name, mine, like in zip(NAMES, backward(solution, q, k, v, grad, mask), (q, k, v), strict=True):
            assert_close(mine, torch.zeros_like(like), name=name)


@points(2)
def test_hidden_keys_do_not_matter(solution, rng):
    """What a hidden key or value holds must change nothing, and a key that no query sees has a gradient of exactly 0."""
    q, k, v, grad = drawn(rng)
    mask = rng.mask(T, S, p=0.6)
    mask[:, 2], mask[:, 5] = True, False
    other_k, other_v = k.clone(), v.clone()
    other_k[5], other_v[5] = 1e4 * rng.randn(D, dtype=F64), 1e4 * rng.randn(M, dtype=F64)
    first, second = (backward(solution, q, *kv, grad, mask) for kv in ((k, v), (other_k, other_v)))
    assert_close(forward(solution, q, other_k, other_v, mask), forward(solution, q, k, v, mask), name="output")
    for name, one, other in zip(NAMES, first, second, strict=True):
        assert_close(other, one, name=name)
    for gradient in (*first[1:], *second[1:]):
        check(not bool(gradient[5].any()), "a key that is hidden from all queries has a gradient that is not 0")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("sign", [-1.0, 1.0], ids=["negative", "positive"])
def test_giant_scores(solution, rng, sign, dtype):
    """Scores of ten billion: the largest permitted one takes all, even if hidden ones are larger, and nothing is NaN."""
    q, k = torch.zeros(1, 4, dtype=dtype), torch.zeros(3, 4, dtype=dtype)
    q[0, 0] = sign * 1e5
    k[:, 0] = torch.tensor([1e5, 2e5, 1.5e5])
    k[:, 1] = torch.tensor([0.0, 1.0, 2.0])
    # small whole numbers: what cancels, cancels exactly
    v, grad = rng.randint(-5, 6, (3, M)).to(dtype), rng.randint(-5, 6, (1, M)).to(dtype)
    for shown in ([True, True, True], [True, False, True], [False, True, False]):
        mask = torch.tensor(shown)
        compare(solution, q, k, v, grad, mask)
    # a hidden score of three billion beside scores of about 1
    far = sign * torch.tensor([[3e9, 0.0, 0.0, 0.0]], dtype=dtype)
    near = torch.tensor([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]], dtype=dtype)
    one = torch.tensor([[2.0, 1.0, 0.0, 0.0]], dtype=dtype)
    v = torch.cat([v[:1], torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=dtype)])
    grad = torch.tensor([[1.0, 2.0]], dtype=dtype)
    compare(solution, one, torch.cat([far, near]), v, grad, torch.tensor([False, True, True]))


@points(2)
@EACH_DTYPE
def test_a_million_and_one(solution, rng, dtype):
    """Two scores of a million that differ by 1 share their weight as e : 1, in the gradients as well."""
    q = torch.tensor([[2e6, 2.0, 0.0, 0.0]], dtype=dtype)
    k = torch.tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]], dtype=dtype)
    # the two values differ along grad, so that the gradients are not rounding noise
    v = torch.tensor([[1.0, 2.0], [3.0, -1.0]], dtype=dtype) + 0.5 * rng.rand(2, M, dtype=dtype)
    grad = torch.tensor([[1.0, 2.0]], dtype=dtype)
    w = torch.tensor([[1.0, math.e]], dtype=dtype) / (1 + math.e)
    assert_close(forward(solution, q, k, v), w @ v, name="output")
    (_, gradients), found = expected(q, k, v, grad), backward(solution, q, k, v, grad)
    # the first number of dq is a sum that cancels
    assert_close(found[0][:, 1:], gradients[0][:, 1:], scale=4.0, name="dq")
    assert_close(found[1:], tuple(gradients[1:]), scale=4.0, name="dk and dv")


@points(2)
def test_identities(solution, rng):
    """Gradients that do not fit together: shifted keys, rescaled queries and rescaled values say what must be equal."""
    inputs = q, k, v, grad = drawn(rng, *[(2,)] * 4)
    mask = rng.mask(2, T, S)
    mask[:, 0, 0] = True
    out, (dq, dk, dv) = forward(solution, q, k, v, mask), backward(solution, *inputs, mask)
    check(all(bool(g.any()) for g in (dq, dk, dv)), "one of the gradients is 0 everywhere")
    # all keys moved by one vector: each score of a query moves by the same number
    assert_close(dk.sum(-2), torch.zeros(2, D, dtype=F64), scale=4.0, name="sum of dk over the keys")
    # q times t and k divided by t: the same scores
    assert_close((dq * q).sum(), (dk * k).sum(), scale=16.0, name="dq · q against dk · k")
    # the output is linear in v
    assert_close((dv * v).sum(), (grad * out).sum(), scale=16.0, name="dv · v against grad · out")


@points(1)
def test_order_of_the_keys(solution, rng):
    """Another order of keys, values and mask columns must permute dk and dv, and change nothing else."""
    q, k, v, grad = drawn(rng)
    mask, order = rng.mask(T, S), rng.permutation(S)
    mask[0, 3] = True
    dq, dk, dv = backward(solution, q, k, v, grad, mask)
    found = backward(solution, q, k[order], v[order], grad, mask[:, order])
    for name, mine, true in zip(NAMES, found, (dq, dk[order], dv[order]), strict=True):
        assert_close(mine, true, name=name)


@points(2)
def test_layouts(solution, rng):
    """Transposed, strided and expanded tensors are tensors like any other, and so is the grad of a sum: a single 1, expanded."""
    q = rng.randn(2, T, 3, D, dtype=F64).transpose(1, 2)
    k = rng.randn(2, 3, D, S, dtype=F64).mT
    v = rng.randn(2, 3, 2 * S, M, dtype=F64)[:, :, ::2]
    mask = rng.mask(2, 1, S, T).mT
    mask[..., 0] = True
    for grad in (rng.randn(2, T, 3, M, dtype=F64).transpose(1, 2), torch.ones((), dtype=F64).expand(2, 3, T, M)):
        compare(solution, q, k, v, grad, mask)
    one = rng.randn(1, S, D, dtype=F64)
    compare(solution, q[0], one.expand(3, S, D), v[0], rng.randn(3, T, M, dtype=F64))


@points(1)
def test_arguments_stay_as_they_are(solution, rng):
    """No argument may be written to, the mask and the incoming gradient included."""
    inputs = drawn(rng, *[(2,)] * 4)
    mask = rng.mask(2, T, S)
    mask[..., 0] = True
    with torch.inference_mode():
        assert_not_mutated(solution.attention, *inputs[:3], mask)
        assert_not_mutated(solution.attention_backward, *inputs, mask)
        assert_not_mutated(solution.attention_backward, *inputs)
    compare(solution, *inputs, mask)
    compare(solution, *inputs, ~mask)
