"""Hidden tests: a linear layer on flat shards, compared with whole layers in one process."""

from itertools import pairwise

import pytest
import torch

from grader.testing import assert_close, assert_not_mutated, attested, check, points, sample

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
EXAMPLE = [torch.tensor([[1.0, 2.0]]), torch.tensor([10.0])]


def layer_of(rng, d, h, dtype=F64):
    return [rng.randn(h, d, dtype=dtype), rng.randn(h, dtype=dtype)]


def pieces(tensors, size, padding=0.0):
    """The shards of all ranks, number by number."""
    numbers = torch.tensor([v for t in tensors for v in t.flatten().tolist()], dtype=tensors[0].dtype)
    length = (len(numbers) + size - 1) // size
    whole = torch.full((length * size,), padding, dtype=numbers.dtype)
    whole[: len(numbers)] = numbers
    return [whole[r * length : (r + 1) * length].clone() for r in range(size)]


def ran(results):
    for rank, result in sorted(enumerate(results), key=lambda pair: not pair[1].get("root", False)):
        check(result["raised"] == "", f"rank {rank} raised {result['raised']}{result['at']}"[:300])
    return results


def whole_layers(x, layers):
    for place, (weight, bias) in enumerate(layers):
        x = (x.tanh() if place else x) @ weight.T + bias
    return x


def run(probes, xs, layers, upstream, padding=0.0, **plan):
    size = len(xs)
    cut = [pieces(layer, size, padding) for layer in layers]
    widths = [layer[1].numel() for layer in layers]
    return ran(probes.run(xs, [[each[r] for each in cut] for r in range(size)], widths, upstream, plan))


def compare(probes, xs, layers, upstream, padding=0.0, **plan):
    """Output and gradients on each rank; every rank's whole gradient is computed here, and their mean is cut."""
    size = len(xs)
    results = run(probes, xs, layers, upstream, padding, **plan)
    leaves = [[t.clone().requires_grad_() for t in layer] for layer in layers]
    flat = [t for layer in leaves for t in layer]
    total = [torch.zeros_like(t) for t in flat]
    for rank, found in enumerate(results):
        x = xs[rank].detach().clone().requires_grad_()
        y = whole_layers(x, leaves)
        dx, *grads = torch.autograd.grad(y, [x, *flat], upstream[rank])
        total = [a + g / size for a, g in zip(total, grads, strict=True)]
        assert_close(found["y"], y.detach(), scale=8.0, name=f"output of rank {rank}")
        if plan.get("x", True):
            check(found["x.grad"] is not None, f"x got no gradient on rank {rank}")
            assert_close(found["x.grad"], dx, scale=8.0, name=f"gradient of x on rank {rank}")
        check(found["kept"], "x or the shard was changed")
    for place in range(len(layers)):
        wanted = pieces(total[2 * place : 2 * place + 2], size)
        for rank, found in enumerate(results):
            if plan.get("shard", True):
                check(found["grads"][place] is not None, f"the shard got no gradient on rank {rank}")
                assert_close(
                    found["grads"][place], wanted[rank], scale=8.0, name=f"gradient of the shard of rank {rank}"
                )
    return results


def rows_of(rng, shapes, dtype=F64):
    return [rng.randn(*shape, dtype=dtype) for shape in shapes]


@sample
@points(1)
def test_worked_example(probes):
    """The example of the statement: outputs 15 and 13; the ranks own the mean gradients (2, 1) and (1, padding)."""
    xs = [torch.tensor([[3.0, 1.0]]), torch.tensor([[1.0, 1.0]])]
    shards = [[torch.tensor([1.0, 2.0])], [torch.tensor([10.0, 0.0])]]
    first, second = ran(probes.run(xs, shards, [1], [torch.ones(1, 1)] * 2, {}))
    assert_close((first["y"], second["y"]), (torch.tensor([[15.0]]), torch.tensor([[13.0]])), name="outputs")
    assert_close(first["grads"][0], torch.tensor([2.0, 1.0]), name="gradient of the shard of rank 0")
    assert_close(second["grads"][0], torch.tensor([1.0, 0.0]), name="gradient of the shard of rank 1")


@sample
@points(1)
def test_seven_numbers_on_three_ranks(solution):
    """Seven numbers on three ranks: three each, and two zeros at the end."""
    tensors = [torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([5.0, 6.0, 7.0])]
    for rank, expected in enumerate([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 0.0, 0.0]]):
        assert_close(solution.flat_shard(tensors, rank, 3), torch.tensor(expected), name=f"shard of rank {rank}")


@sample
@points(1)
def test_gathered_by_hand(probes):
    """The way back: a matrix, a number and a row from two shards, without the padding."""
    shards = [torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0, 0.0])]
    for found in ran(probes.gather(shards, [(1, 2), (), (2,)])):
        expected = [torch.tensor([[1.0, 2.0]]), torch.tensor(3.0), torch.tensor([4.0, 5.0])]
        assert_close(found["whole"], expected, name="whole tensors")


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("size", [1, 2, 5])
def test_shards(solution, rng, size, dtype):
    """A shard differs: join the tensors in their order, add zeros at the end of the line, cut it into equal pieces."""
    tensors = [rng.randn(3, 7, dtype=dtype), rng.randn(dtype=dtype), rng.randn(2, 1, 5, dtype=dtype)]
    for rank, expected in enumerate(pieces(tensors, size)):
        assert_close(
            solution.flat_shard(tensors, rank, size), expected, rtol=0.0, atol=0.0, name=f"shard of rank {rank}"
        )


@points(2)
def test_more_ranks_than_numbers(solution, rng):
    """With more ranks than numbers, the last shards are padding alone, and no rank goes without."""
    tensors = [rng.randn(1, 2, dtype=F64), rng.randn(1, dtype=F64)]
    for size in (4, 7):
        for rank, expected in enumerate(pieces(tensors, size)):
            assert_close(solution.flat_shard(tensors, rank, size), expected, name=f"shard of rank {rank} of {size}")


@points(1)
def test_shards_of_views(solution, rng):
    """A transposed weight is flattened in the order of its indices, not of its memory; it stays as it was."""
    tensors = [rng.randn(5, 3, dtype=F64).T, rng.randn(6, dtype=F64)[::2]]
    for rank, expected in enumerate(pieces(tensors, 4)):
        found = assert_not_mutated(solution.flat_shard, tensors, rank, 4)
        assert_close(found, expected, name=f"shard of rank {rank}")


@points(2)
@EACH_DTYPE
def test_way_back(probes, rng, dtype):
    """Whole tensors differ after they were gathered: each shape takes its numbers in turn, and what is left is padding."""
    tensors = [
        rng.randn(3, 5, dtype=dtype),
        rng.randn(dtype=dtype),
        rng.randn(7, dtype=dtype),
        rng.randn(2, 1, 2, dtype=dtype),
    ]
    for size in (1, 4):
        shards = [s.requires_grad_() for s in pieces(tensors, size)]
        for found in ran(probes.gather(shards, [tuple(t.shape) for t in tensors])):
            check(not any(t.requires_grad for t in found["whole"]), "a gathered tensor requires a gradient")
            assert_close(found["whole"], tensors, rtol=0.0, atol=0.0, name="whole tensors")
            check(found["kept"], "unshard changed the shard")


@points(3)
@EACH_DTYPE
@pytest.mark.parametrize("size", [2, 3, 4])
def test_like_the_whole(probes, rng, size, dtype):
    """Output, or a gradient, differs from the whole layer's: which are this rank's alone, and which are means over ranks?"""
    xs, upstream = rows_of(rng, [(7, 3)] * size, dtype), rows_of(rng, [(7, 5)] * size, dtype)
    compare(probes, xs, [layer_of(rng, 3, 5, dtype)], upstream)


@points(1)
def test_one_rank(probes, rng):
    """A group of one rank is the plain layer."""
    compare(probes, rows_of(rng, [(4, 3)]), [layer_of(rng, 3, 2)], rows_of(rng, [(4, 2)]))


@points(2)
def test_ranks_of_padding(probes, rng):
    """Two numbers on five ranks: those that own nothing take part all the same."""
    compare(probes, rows_of(rng, [(3, 1)] * 5), [layer_of(rng, 1, 1)], rows_of(rng, [(3, 1)] * 5))


@points(2)
@pytest.mark.parametrize("shape", [(), (2, 3), (2, 1, 5)], ids=str)
def test_leading_dimensions(probes, rng, shape):
    """x has any number of leading dimensions, also none."""
    compare(probes, rows_of(rng, [(*shape, 3)] * 2), [layer_of(rng, 3, 7)], rows_of(rng, [(*shape, 7)] * 2))


@points(2)
def test_other_rows_on_each_rank(probes, rng):
    """Ranks may have different numbers of rows, and one may have none: it takes part, and the mean is over ranks, not rows."""
    shapes = [(5,), (0,), (2, 3)]
    xs, upstream = rows_of(rng, [(*s, 3) for s in shapes]), rows_of(rng, [(*s, 4) for s in shapes])
    compare(probes, xs, [layer_of(rng, 3, 4)], upstream)


@points(2)
def test_padding_is_no_parameter(probes, rng):
    """Whatever stands in the padding changes nothing, and its gradient is zero."""
    xs, upstream = rows_of(rng, [(4, 2)] * 4), rows_of(rng, [(4, 3)] * 4)
    compare(probes, xs, [layer_of(rng, 2, 3)], upstream, padding=float("nan"))


@points(3)
@pytest.mark.parametrize("depth", [2, 3])
def test_one_layer_after_another(probes, rng, depth):
    """Several layers of different width: each gathers its own shard, and hands back the gradient of this rank's loss."""
    widths = [3, 5, 2, 7][: depth + 1]
    layers = [layer_of(rng, a, b) for a, b in pairwise(widths)]
    compare(probes, rows_of(rng, [(4, 3)] * 3), layers, rows_of(rng, [(4, widths[-1])] * 3))


@points(2)
def test_views(probes, rng):
    """A transposed x and a strided one are tensors like any other, and stay as they were."""
    xs = [rng.randn(3, 4, dtype=F64).T, rng.randn(4, 6, dtype=F64)[:, ::2]]
    upstream = [rng.randn(5, 4, dtype=F64).T, rng.randn(5, dtype=F64).expand(4, 5)]
    compare(probes, xs, [layer_of(rng, 3, 5)], upstream)


@points(3)
@pytest.mark.parametrize("size", [2, 4])
def test_communication(probes, rng, size):
    """A layer costs one gather forward, one gather and one reduce-scatter backward, of the right numbers of elements."""
    xs, upstream = rows_of(rng, [(2, 3)] * size), rows_of(rng, [(2, 5)] * size)
    length = -(-20 // size)
    for found in compare(probes, xs, [layer_of(rng, 3, 5)], upstream):
        check(
            found["calls"][:1] == [("forward", "all_gather", length)],
            "the forward pass makes one all-gather of the shard",
        )
        backward = [("backward", "all_gather", length), ("backward", "reduce_scatter", length * size)]
        check(sorted(found["calls"][1:]) == backward, "the backward pass makes one all-gather and one reduce-scatter")


@points(2)
def test_x_without_gradient(probes, rng):
    """If x requires no gradient, the backward pass needs no weight and gathers none."""
    xs, upstream = rows_of(rng, [(2, 3)] * 2), rows_of(rng, [(2, 4)] * 2)
    for found in compare(probes, xs, [layer_of(rng, 3, 4)], upstream, x=False):
        check(found["x.grad"] is None, "x got a gradient that nobody asked for")
        calls = [("forward", "all_gather", 8), ("backward", "reduce_scatter", 16)]
        check(found["calls"] == calls, "only the reduce-scatter is needed in the backward pass")


@points(2)
def test_frozen_shard(probes, rng):
    """If the shard requires no gradient, nothing is reduced; x gets its gradient as before."""
    xs, upstream = rows_of(rng, [(2, 3)] * 2), rows_of(rng, [(2, 4)] * 2)
    for found in compare(probes, xs, [layer_of(rng, 3, 4)], upstream, shard=False):
        check(found["grads"] == [None], "the shard got a gradient that nobody asked for")
        check(
            found["calls"] == [(p, "all_gather", 8) for p in ("forward", "backward")],
            "one gather each way, and no more",
        )


@points(1)
def test_nothing_recorded(probes, rng):
    """Under no_grad there is one gather, and the output is that of the whole layer."""
    xs, layer = rows_of(rng, [(2, 3)] * 2), layer_of(rng, 3, 4)
    for x, found in zip(xs, run(probes, xs, [layer], [], record=False), strict=True):
        assert_close(found["y"], whole_layers(x, [layer]), scale=8.0)
        check(found["calls"] == [("forward", "all_gather", 8)], "one gather, and no more")


@attested
@points(3)
@pytest.mark.parametrize("size", [2, 5])
def test_parameters_are_freed(probes, rng, size):
    """What was gathered must be gone when the layer returns, and again when its backward pass ends: what holds on to it?"""
    xs, upstream = rows_of(rng, [(2, 31)] * size), rows_of(rng, [(2, 23)] * size)
    layers = [layer_of(rng, 31, 37), layer_of(rng, 37, 29), layer_of(rng, 29, 23)]
    for found in run(probes, xs, layers, upstream):
        check(found["alive"] == 0, "gathered parameters are in memory while another layer computes")


@attested
@points(2)
def test_what_waits_for_backward(probes, rng):
    """Input and shard wait for the backward pass; a weight that waits there, or a copy of it, is what sharding was to avoid."""
    xs, upstream = rows_of(rng, [(2, 31)] * 4), rows_of(rng, [(2, 37)] * 4)
    for found in run(probes, xs, [layer_of(rng, 31, 37)], upstream):
        check(found["saved"] < 31 * 37, "as many numbers as the whole weight has wait for the backward pass")


@attested
@points(2)
def test_shards_own_their_memory(probes, rng):
    """A shard that is a view keeps the whole line in memory: nothing would be saved."""
    for size in (1, 3):
        found = probes.own_memory([rng.randn(3, 8), rng.randn(6)], size - 1, size)
        check(not found["shared"] and found["held"] == found["needed"], "a shard holds on to more memory than it needs")
    found = probes.own_memory([rng.randn(24)], 0, 1)
    check(not found["shared"], "a shard shares memory with a tensor that it was made of")


@points(3)
@pytest.mark.parametrize("size", [2, 3])
def test_training(probes, rng, size):
    """A few steps of Adam on shards end where the whole model on the whole batch ends."""
    layers = [layer_of(rng, 3, 5), layer_of(rng, 5, 2)]
    batches = [(rng.randn(4 * size, 3, dtype=F64), rng.randn(4 * size, 2, dtype=F64)) for _ in range(4)]
    whole = [[t.clone().requires_grad_() for t in layer] for layer in layers]
    optimizer = torch.optim.Adam([t for layer in whole for t in layer], lr=0.05, weight_decay=0.01)
    for x, target in batches:
        optimizer.zero_grad()
        (whole_layers(x, whole) - target).square().mean().backward()
        optimizer.step()
    for found in ran(probes.train(layers, batches, size, {"lr": 0.05, "decay": 0.01})):
        for place, layer in enumerate(whole):
            assert_close(
                found["whole"][place], [t.detach() for t in layer], scale=64.0, name=f"layer {place} after training"
            )
