"""Hidden tests: a feed-forward layer that is split over ranks, compared with the whole layer in one process."""

import pytest
import torch

from grader.testing import assert_close, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
NAMES = ("up.weight", "up.bias", "down.weight", "down.bias")


def weights_of(rng, d, h, dtype=F64):
    shapes = {"up.weight": (h, d), "up.bias": (h,), "down.weight": (d, h), "down.bias": (d,)}
    return {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}


def bounds(h, rank, size):
    """The hidden units of a rank: the first h % size ranks have one more than the others."""
    sizes = [h // size + (i < h % size) for i in range(size)]
    return sum(sizes[:rank]), sum(sizes[: rank + 1])


def cut(whole, rank, size):
    low, high = bounds(whole["up.bias"].shape[0], rank, size)
    return {
        "up.weight": whole["up.weight"][low:high],
        "up.bias": whole["up.bias"][low:high],
        "down.weight": whole["down.weight"][:, low:high],
        "down.bias": whole["down.bias"],
    }


def whole_mlp(x, layers, upstream, residual=False):
    """One process: the output, and the gradients of x and of all weights."""
    x = x.detach().clone().requires_grad_()
    layers = [{name: t.clone().requires_grad_() for name, t in whole.items()} for whole in layers]
    y = x
    for w in layers:
        out = (y @ w["up.weight"].T + w["up.bias"]).clamp(min=0) @ w["down.weight"].T + w["down.bias"]
        y = y + out if residual else out
    y.backward(upstream)
    return y.detach(), x.grad, [{name: t.grad for name, t in w.items()} for w in layers]


def ran(results):
    for rank, result in sorted(enumerate(results), key=lambda pair: not pair[1].get("root", False)):
        check(result["raised"] == "", f"rank {rank} raised {result['raised']}{result['at']}"[:300])
    return results


def compare(probes, x, layers, upstream, **plan):
    results = ran(probes.run(x, layers, upstream, plan))
    y, dx, grads = whole_mlp(x, layers, upstream, plan.get("residual", False))
    for rank, found in enumerate(results):
        assert_close(found["y"], y, scale=8.0, name=f"output of rank {rank}")
        check(torch.equal(found["y"], results[0]["y"]), "the outputs of two ranks differ in some bits")
        if plan.get("wants_x", True):
            assert_close(found["x.grad"], dx, scale=8.0, name=f"gradient of x on rank {rank}")
        else:
            check(found["x.grad"] is None, "x got a gradient that nobody asked for")
        for place, grad in enumerate(grads):
            expected = cut(grad, rank, plan["size"])
            for name in NAMES:
                found_grad = found["grads"][place][name]
                check(found_grad is not None, f"{name} got no gradient on rank {rank}")
                assert_close(found_grad, expected[name], scale=8.0, name=f"gradient of {name} on rank {rank}")
        check(found["kept"], "x was changed")
    return results


EXAMPLE = {
    "up.weight": torch.tensor([[1.0, 1.0], [1.0, -1.0]]),
    "up.bias": torch.zeros(2),
    "down.weight": torch.tensor([[1.0, 2.0], [0.0, 10.0]]),
    "down.bias": torch.tensor([100.0, 200.0]),
}


@sample
@points(1)
def test_worked_example(probes):
    """The example of the statement: two ranks give the output (108, 220) and the gradient (13, −11) of x."""
    first, second = ran(probes.run(torch.tensor([[3.0, 1.0]]), [EXAMPLE], torch.ones(1, 2), {"size": 2}))
    for found in (first, second):
        assert_close(found["y"], torch.tensor([[108.0, 220.0]]), name="output")
        assert_close(found["x.grad"], torch.tensor([[13.0, -11.0]]), name="gradient of x")


@sample
@points(1)
def test_parts_of_five_hidden_units(solution):
    """Five hidden units on three ranks: two, two and one, in their order; the last bias is on every rank."""
    whole = {
        "up.weight": torch.arange(10.0).reshape(5, 2),
        "up.bias": torch.arange(5.0),
        "down.weight": torch.arange(10.0).reshape(2, 5),
        "down.bias": torch.tensor([7.0, 8.0]),
    }
    for rank, units in enumerate([[0, 1], [2, 3], [4]]):
        expected = {
            "up.weight": whole["up.weight"][units],
            "up.bias": whole["up.bias"][units],
            "down.weight": whole["down.weight"][:, units],
            "down.bias": whole["down.bias"],
        }
        assert_close(solution.shard(whole, rank, 3), expected, name=f"part of rank {rank}")


@sample
@points(1)
def test_one_rank(probes):
    """A group of one rank is the plain layer."""
    compare(probes, torch.tensor([3.0, 1.0]), [EXAMPLE], torch.tensor([1.0, 2.0]), size=1)


@points(3)
@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_like_the_whole(probes, rng, size, dtype):
    """Output and gradients on every rank: those of the whole layer, cut like the weights. Which sums cross ranks, and when?"""
    whole, x = weights_of(rng, 3, 12, dtype), rng.randn(5, 3, dtype=dtype)
    # Redrawn while a hidden value lies near the kink of the ReLU, where rounding decides about its gradient.
    while (x @ whole["up.weight"].T + whole["up.bias"]).abs().min() < 1e-4:
        x = rng.randn(5, 3, dtype=dtype)
    compare(probes, x, [whole], rng.randn(5, 3, dtype=dtype), size=size)


@points(1)
@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 1, 5, 3)], ids=str)
def test_leading_dimensions(probes, rng, shape):
    """x has any number of leading dimensions, also none."""
    layers = [weights_of(rng, 3, 7)]
    compare(probes, rng.randn(*shape, dtype=F64), layers, rng.randn(*shape, dtype=F64), size=2)


@points(2)
@pytest.mark.parametrize(("h", "size"), [(7, 3), (5, 4), (11, 4)], ids=["7-3", "5-4", "11-4"])
def test_hidden_units_that_do_not_divide(solution, probes, rng, h, size):
    """Hidden units that do not divide by the number of ranks: none is lost, none counts twice, and the first ranks have more."""
    whole = weights_of(rng, 3, h)
    for rank in range(size):
        assert_close(solution.shard(whole, rank, size), cut(whole, rank, size), name=f"part of rank {rank}")
    compare(probes, rng.randn(4, 3, dtype=F64), [whole], rng.randn(4, 3, dtype=F64), size=size)


@points(1)
def test_a_rank_without_hidden_units(probes, rng):
    """Two hidden units on three ranks: the third has none, and takes part all the same."""
    compare(probes, rng.randn(4, 3, dtype=F64), [weights_of(rng, 3, 2)], rng.randn(4, 3, dtype=F64), size=3)


@points(3)
@pytest.mark.parametrize("depth", [2, 3])
def test_one_layer_after_another(probes, rng, depth):
    """Several layers: each hands on whole activations and whole gradients, and factors of the group's size would add up."""
    layers = [weights_of(rng, 3, 5) for _ in range(depth)]
    compare(probes, rng.randn(4, 3, dtype=F64), layers, rng.randn(4, 3, dtype=F64), size=3)


@points(3)
@pytest.mark.parametrize("depth", [1, 2])
def test_residual_connections(probes, rng, depth):
    """With x + layer(x), the gradient that goes around the layer is whole already: only what goes through it is summed."""
    layers = [weights_of(rng, 3, 5) for _ in range(depth)]
    compare(probes, rng.randn(4, 3, dtype=F64), layers, rng.randn(4, 3, dtype=F64), size=2, residual=True)


@points(3)
@pytest.mark.parametrize("size", [2, 4])
def test_one_all_reduce_each_way(probes, rng, size):
    """A layer costs one all-reduce forward and one backward, each of as many elements as x."""
    layers = [weights_of(rng, 3, 8)]
    for found in compare(probes, rng.randn(5, 3, dtype=F64), layers, rng.randn(5, 3, dtype=F64), size=size):
        check(
            found["calls"] == [("forward", 15), ("backward", 15)],
            "a rank makes other all-reduces than the statement allows",
        )


@points(2)
@pytest.mark.parametrize("kind", ["x", "grad"])
def test_without_gradients(probes, rng, kind):
    """If x requires no gradient, or nothing is recorded, the backward all-reduce is not made; the rest works as before."""
    x, layers, upstream = rng.randn(5, 3, dtype=F64), [weights_of(rng, 3, 5)], rng.randn(5, 3, dtype=F64)
    if kind == "x":
        results = compare(probes, x, layers, upstream, size=2, wants_x=False)
    else:
        results = ran(probes.run(x, layers, upstream, {"size": 2, "grad": False}))
        for found in results:
            assert_close(found["y"], whole_mlp(x, layers, upstream)[0], scale=8.0)
    check(all(found["calls"] == [("forward", 15)] for found in results), "one all-reduce forward, and none backward")


@points(2)
def test_bias_counts_once(probes, rng):
    """With zero weights the output is the last bias, exactly, and its gradient on every rank is that of the whole layer."""
    whole = {name: torch.zeros_like(t) for name, t in weights_of(rng, 3, 6).items()} | {
        "down.bias": rng.randn(3, dtype=F64)
    }
    upstream = rng.randn(4, 3, dtype=F64)
    for found in ran(probes.run(rng.randn(4, 3, dtype=F64), [whole], upstream, {"size": 3})):
        assert_close(found["y"], whole["down.bias"].expand(4, 3), rtol=0.0, atol=0.0, name="output")
        check(found["grads"][0]["down.bias"] is not None, "down.bias got no gradient on some rank")
        assert_close(found["grads"][0]["down.bias"], upstream.sum(0), name="gradient of down.bias")


@points(2)
def test_same_bits(probes, rng):
    """Numbers of very different size: the ranks must return the same bits, because they go on computing with them."""
    layers = [weights_of(rng, 4, 9, F32)]
    scales = 10.0 ** rng.randint(-3, 4, (9,)).float()
    layers[0]["down.weight"] *= scales
    results = ran(probes.run(rng.randn(50, 4), layers, rng.randn(50, 4), {"size": 3}))
    for found in results:
        check(torch.equal(found["y"], results[0]["y"]), "the outputs of two ranks differ in some bits")
        check(torch.equal(found["x.grad"], results[0]["x.grad"]), "the gradients of x on two ranks differ in some bits")


@points(1)
def test_views(probes, rng):
    """A transposed x, a strided one, transposed weights: tensors like any other. They stay as they were."""
    whole = weights_of(rng, 3, 6)
    whole["up.weight"], whole["down.weight"] = rng.randn(3, 6, dtype=F64).T, rng.randn(6, 3, dtype=F64).T
    for x in (rng.randn(3, 4, dtype=F64).T, rng.randn(4, 6, dtype=F64)[:, ::2]):
        compare(probes, x, [whole], rng.randn(4, 3, dtype=F64), size=2, view=True)


@attested
@points(2)
def test_parts_own_their_memory(probes, rng):
    """A part that is a view keeps the whole matrix in memory: nothing would be saved."""
    for rank in range(2):
        found = probes.own_memory(weights_of(rng, 3, 8, F32), rank, 2)
        check(found["kept"], "shard changed the weights")
        check(found["shared"] == [], "a part shares memory with the whole weights")
        check(
            all(held == needed for held, needed in found["bytes"].values()),
            "a part holds on to more memory than it needs",
        )
