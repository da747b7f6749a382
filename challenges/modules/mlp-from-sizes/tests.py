"""Hidden tests: a multilayer perceptron from a list of sizes, and a module whose constructor was repaired."""

from itertools import pairwise

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_mode_matters,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
DEPTHS = pytest.mark.parametrize("hidden", [(), (5,), (5, 2, 3)], ids=["none", "one", "three"])


def shapes_of(sizes):
    shapes = {}
    for i, (a, b) in enumerate(pairwise(sizes)):
        shapes |= {f"layers.{i}.weight": (b, a), f"layers.{i}.bias": (b,)}
    return shapes


def check_names(module, shapes):
    """All names and shapes are there, in the state and among the parameters."""
    state = dict(module.state_dict())
    check(set(state) == set(shapes), "state_dict() has other keys than the statement says")
    check(all(tuple(state[n].shape) == s for n, s in shapes.items()), "an entry of state_dict() has another shape")
    names = [name for name, _ in module.named_parameters()]
    check(sorted(names) == sorted(shapes), "parameters() does not give each of these once")
    return state


def loaded(module, state):
    """The module with a copy of this state, in its dtype."""
    check_names(module, {name: tuple(value.shape) for name, value in state.items()})
    dtype = next(iter(state.values())).dtype
    if dtype is not F32:
        module.to(dtype)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


def pair(solution, reference, rng, sizes, dtype=F64, p=0.0):
    """Both MLPs with the same random state, in evaluation mode."""
    state = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes_of(sizes).items()}
    made = [loaded(s.MLP(sizes[0], list(sizes[1:-1]), sizes[-1], p), state) for s in (solution, reference)]
    return [module.eval() for module in made]


@sample
@points(1)
def test_names_and_shapes(solution):
    """MLP: one linear layer for each pair of neighbouring sizes, under the names layers.0, layers.1, …"""
    check_names(solution.MLP(4, [3, 2], 1), shapes_of([4, 3, 2, 1]))


@sample
@points(1)
def test_two_layers_by_hand(solution):
    """MLP: a hidden layer with ReLU, and a last layer without it."""
    model = solution.MLP(2, [2], 1)
    state = {
        "layers.0.weight": torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
        "layers.0.bias": torch.zeros(2),
        "layers.1.weight": torch.tensor([[-1.0, 1.0]]),
        "layers.1.bias": torch.tensor([0.5]),
    }
    model = loaded(model, state).eval()
    out = model(torch.tensor([[3.0, -2.0], [1.0, 4.0]]))
    assert_close(out.detach(), torch.tensor([[-2.5], [3.5]]))


@sample
@points(1)
def test_affine_can_be_built(solution):
    """Affine: it can be built, has two parameters, and starts as the identity."""
    module = solution.Affine(3)
    state = check_names(module, {"scale": (3,), "shift": (3,)})
    assert_close(state["scale"], torch.ones(3), name="scale")
    assert_close(state["shift"], torch.zeros(3), name="shift")
    assert_close(module(torch.tensor([1.0, -2.0, 3.0])).detach(), torch.tensor([1.0, -2.0, 3.0]))


@points(2)
@DEPTHS
def test_values_and_gradients(solution, reference, rng, hidden):
    """MLP: an output or a gradient of x differs: mind ReLU between the layers, and nothing after the last."""
    mine, theirs = pair(solution, reference, rng, (3, *hidden, 2))
    assert_same_gradients(mine, theirs, (rng.randn(7, 3, dtype=F64),), names=("x",))


@points(2)
@EACH_DTYPE
def test_gradients_of_parameters(solution, reference, rng, dtype):
    """MLP: every weight and every bias must get its gradient."""
    mine, theirs = pair(solution, reference, rng, (3, 5, 2, 4), dtype)
    x, cotangent = rng.randn(7, 3, dtype=dtype), rng.randn(7, 4, dtype=dtype)
    found = []
    for module in (mine, theirs):
        named = dict(module.named_parameters())
        out = module(x)
        check(out.requires_grad, "the output is detached from the parameters")
        check(out.dtype == dtype, "the output has another dtype than the module")
        grads = torch.autograd.grad(out, list(named.values()), cotangent, allow_unused=True)
        check(all(g is not None for g in grads), "a parameter takes no part in the output")
        found.append(dict(zip(named, grads, strict=True)))
    assert_close(found[0], found[1], scale=8.0, name="gradients")


@points(1)
def test_each_layer_is_its_own(solution, rng):
    """MLP: equal sizes do not mean equal layers, and the biases start at random too."""
    state = check_names(solution.MLP(3, [3, 3, 3], 3), shapes_of([3] * 5))
    for kind in ("weight", "bias"):
        tensors = [state[f"layers.{i}.{kind}"] for i in range(4)]
        same = [torch.equal(a, b) for a, b in pairwise(tensors)]
        check(not any(same), f"two layers start with the same {kind}")
        check(all(bool(t.abs().max() <= 3**-0.5) for t in tensors), f"a {kind} does not start as in nn.Linear")


@points(1)
def test_leading_dimensions(solution, reference, rng):
    """MLP: x may have no leading dimension, or several, or one of size 0; it may be transposed, and is not written to."""
    mine, theirs = pair(solution, reference, rng, (3, 5, 2))
    for x in (rng.randn(3, dtype=F64), rng.randn(2, 1, 3, dtype=F64), rng.randn(0, 3, dtype=F64)):
        assert_close(mine(x), theirs(x))
    x = rng.randn(3, 7, dtype=F64).t()
    assert_close(assert_not_mutated(mine, x), theirs(x))
    x = rng.randn(4, 3, 7, dtype=F64).transpose(1, 2)
    assert_close(mine(x), theirs(x))


@points(1)
@pytest.mark.parametrize("hidden", [[5, 2], (5, 2)], ids=["list", "tuple"])
def test_the_sizes_stay(solution, hidden):
    """MLP: the caller's list of sizes is not changed, and a tuple is as good as a list."""
    check_names(solution.MLP(3, hidden, 4), shapes_of([3, 5, 2, 4]))
    check(list(hidden) == [5, 2], "the sizes were changed")


@points(2)
def test_everything_dropped(solution, reference, rng):
    """MLP: with p = 1 only the last bias is left of two layers in training; without a hidden layer nothing is dropped."""
    mine, _ = pair(solution, reference, rng, (3, 5, 2), p=1.0)
    bias = mine.state_dict()["layers.1.bias"]
    assert_close(mine.train()(rng.randn(7, 3, dtype=F64)).detach(), bias.expand(7, 2), name="output in training")
    flat, theirs = pair(solution, reference, rng, (3, 2), p=1.0)
    x = rng.randn(7, 3, dtype=F64)
    assert_close(flat.train()(x), theirs(x), name="output without a hidden layer")


@points(2)
def test_how_much_is_dropped(solution, rng):
    """MLP: each hidden layer drops a part p of its activations and scales the others by 1 / (1 - p)."""
    n, rows, p = 40, 150, 0.3
    eye, zero = torch.eye(n, dtype=F64), torch.zeros(n, dtype=F64)
    state = {f"layers.{i}.{k}": v for i in range(3) for k, v in (("weight", eye), ("bias", zero))}
    model = loaded(solution.MLP(n, [n, n], n, p), state).train()
    x = 1 + rng.rand(rows, n, dtype=F64)
    torch.manual_seed(rng.seed())
    out = model(x).detach()
    kept = out != 0
    assert_close(out[kept], (x / (1 - p) ** 2)[kept], name="what was kept")
    check(bool((kept != kept[:1]).any()), "all rows of a batch have the same mask")
    # 6000 draws, kept with probability 0.49: the standard deviation of the share is 0.0065, and 0.04 is six of them
    share = float(kept.double().mean())
    check(abs(share - (1 - p) ** 2) < 0.04, "the share of activations that pass two dropouts is wrong")


@points(2)
@pytest.mark.parametrize("p", [0.0, 0.4])
def test_gradients_in_training(solution, rng, p):
    """MLP: in training mode the gradient of x passes through the same masks as the values; with p = 0 nothing is dropped."""
    n = 11
    eye, zero = torch.eye(n, dtype=F64), torch.zeros(n, dtype=F64)
    state = {f"layers.{i}.{k}": v for i in range(3) for k, v in (("weight", eye), ("bias", zero))}
    model = loaded(solution.MLP(n, [n, n], n, p), state).train()
    x = (1 + rng.rand(7, n, dtype=F64)).requires_grad_()
    torch.manual_seed(rng.seed())
    out = model(x)
    (gradient,) = torch.autograd.grad(out.sum(), x)
    assert_close(gradient, (out / x).detach(), name="gradient of x")
    if p == 0:
        assert_close(out.detach(), x.detach(), name="output with p = 0")


@points(2)
def test_the_mode_decides(solution, reference, rng):
    """MLP: nothing is dropped in evaluation mode, whatever p is."""
    mine, _ = pair(solution, reference, rng, (3, 5, 2), p=0.9)
    mine.load_state_dict({name: value.abs() + 0.5 for name, value in mine.state_dict().items()})
    theirs = loaded(reference.MLP(3, [5], 2), dict(mine.state_dict())).eval()
    x = 1 + rng.rand(7, 3, dtype=F64)
    assert_close(mine(x), theirs(x), name="output in evaluation")
    assert_mode_matters(mine, x)


@points(1)
def test_default_probability(solution, rng):
    """MLP: without p, a tenth of the activations is dropped."""
    n = 40
    eye, zero = torch.eye(n, dtype=F64), torch.zeros(n, dtype=F64)
    state = {f"layers.{i}.{k}": v for i in range(2) for k, v in (("weight", eye), ("bias", zero))}
    model = loaded(solution.MLP(n, [n], n), state).train()
    torch.manual_seed(rng.seed())
    out = model(torch.ones(150, n, dtype=F64)).detach()
    # 6000 draws, kept with probability 0.9: the standard deviation of the share is 0.0039, and 0.024 is six of them
    check(abs(float((out != 0).double().mean()) - 0.9) < 0.024, "another part than a tenth is dropped by default")
    check(bool((out - 10 / 9).abs().min() < 1e-9), "what is kept is not scaled by 1 / (1 - p)")


@points(1)
def test_new_masks(probes, rng):
    """MLP: each call drops other activations, and equal seeds of torch give equal masks."""
    seed = rng.seed()
    first, again, other = (probes.masks_in_a_row(s) for s in (seed, seed, seed + 1))
    assert_close(again, first, rtol=0.0, atol=0.0, name="outputs after the same seed")
    for one, another in ((first[0], first[1]), (first[1], first[2]), (first[0], other[0])):
        check(not torch.equal(one, another), "two calls drop the same activations")


@points(2)
@EACH_DTYPE
def test_affine(solution, reference, rng, dtype):
    """Affine: the output, or a gradient of x, scale or shift differs."""
    state = {"scale": rng.randn(5, dtype=dtype), "shift": rng.randn(5, dtype=dtype)}
    mine, theirs = (loaded(source.Affine(5), state) for source in (solution, reference))
    assert_same_gradients(mine, theirs, (rng.randn(2, 3, 5, dtype=dtype),), names=("x",))
    x, cotangent = rng.randn(3, 5, dtype=dtype), rng.randn(3, 5, dtype=dtype)
    named = dict(mine.named_parameters())
    grads = torch.autograd.grad(mine(x), [named["scale"], named["shift"]], cotangent)
    assert_close(grads, ((cotangent * x).sum(0), cotangent.sum(0)), scale=4.0, name="gradients of scale and shift")


@points(2)
def test_on_the_meta_device(probes):
    """A move to another device must take every layer along, and forward must not make tensors elsewhere."""
    found = probes.on_meta()
    for name, count, shape in (("mlp", 6, (7, 4)), ("affine", 2, (7, 3))):
        check(found[name]["devices"] == ["meta"] * count, f"{name}: a parameter is missing or was left behind")
        check(found[name]["shape"] == shape, f"{name}: forward fails after a move, or gives a tensor elsewhere")


@points(1)
def test_states_travel(solution, rng):
    """A state that is loaded decides the output, and comes out again as it went in."""
    assert_state_dict_round_trip(lambda: solution.MLP(3, [5], 2), rng.randn(4, 3))
    assert_state_dict_round_trip(lambda: solution.Affine(3), rng.randn(4, 3))
