"""Hidden tests: chains with named stages, and a network with two inputs and a skip path."""

import pytest
import torch

from grader.testing import (
    assert_close,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
TOWER = {
    "left.project": (2, 3),
    "right.hidden": (2, 5),
    "right.project": (2, 2),
    "head.project": (2, 2),
}


def shapes_of(layers):
    return {f"{name}.weight": shape for name, shape in layers.items()} | {
        f"{name}.bias": shape[:1] for name, shape in layers.items()
    }


def drawn(rng, layers, dtype=F64):
    return {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes_of(layers).items()}


def loaded(source, state):
    """A TwoTower with this state, in its dtype."""
    module = source.TwoTower(3, 5, 2)
    shapes = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    check(shapes == shapes_of(TOWER), "TwoTower: state_dict() has other keys or shapes than the statement says")
    dtype = next(iter(state.values())).dtype
    if dtype is not F32:
        module.to(dtype)
    module.load_state_dict({name: value.clone() for name, value in state.items()})
    return module


@sample
@points(1)
def test_three_stages(probes):
    """make_mlp: two linear layers and one activation between them, each under its name."""
    found = probes.chain([4, 3, 2], "relu", ["first", "last"])
    assert_close(found["stages"], [("first", "Linear"), ("first_act", "ReLU"), ("last", "Linear")], name="stages")
    assert_close(found["state"], shapes_of({"first": (3, 4), "last": (2, 3)}), name="shapes in the state dict")


@sample
@points(1)
def test_too_few_names(probes):
    """make_mlp: another number of names than layers is a ValueError."""
    assert_close(probes.refused([4, 3, 2], ["first"]), "ValueError", name="what is raised")


@sample
@points(1)
def test_towers_by_hand(solution):
    """TwoTower: with zeros in the head's weights the output is u plus the head's bias."""
    state = {name: torch.zeros(shape) for name, shape in shapes_of(TOWER).items()}
    state["left.project.weight"] = torch.tensor([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    state["head.project.bias"] = torch.tensor([10.0, 20.0])
    out = loaded(solution, state)(torch.tensor([[1.0, 2.0, 3.0]]), torch.ones(1, 5))
    assert_close(out.detach(), torch.tensor([[11.0, 24.0]]))


@points(2)
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stages(probes, count):
    """make_mlp: 2n - 1 stages in order, by name, position and slice; no activation at the end; no chain in the chain."""
    names = ["inner", "outer", "a", "z"][:count]
    sizes = [7, 5, 3, 2, 11][: count + 1]
    found = probes.chain(sizes, "tanh", names)
    stages = [pair for name in names for pair in ((name, "Linear"), (f"{name}_act", "Tanh"))][:-1]
    check(found["type"] == "Sequential", "make_mlp should return an nn.Sequential")
    assert_close(found["stages"], stages, name="stages")
    layers = {name: (sizes[i + 1], sizes[i]) for i, name in enumerate(names)}
    assert_close(found["state"], shapes_of(layers), name="shapes in the state dict")
    check(found["by_name"], "a stage cannot be reached by its name")
    assert_close(found["slice"], [name for name, _ in stages[:-1]], name="names in a slice")
    check(found["modules"] == 2 * count, "there are modules inside of the stages")
    check(found["same"], "the list of sizes or names was changed")


@points(1)
def test_random_starts(probes, rng):
    """make_mlp: layers of equal sizes must start differently, in one chain and in two."""
    drawn = probes.starts(rng.seed())
    check(len(drawn) == 8, "two chains of two layers should have eight parameters")
    for kind in (drawn[::2], drawn[1::2]):
        same = [torch.equal(kind[i], kind[j]) for i in range(4) for j in range(i)]
        check(not any(same), "two layers start with the same values")
        check(
            all(bool(t.abs().max() <= 3**-0.5) and bool(t.any()) for t in kind), "a layer does not start as nn.Linear"
        )


@points(2)
def test_each_place_has_its_own_activation(probes):
    """make_mlp: activations that learn must not be shared between places."""
    found = probes.chain([2, 3, 5, 7], "prelu", ["a", "b", "c"])
    check(found["distinct"], "one activation object is used in several places")
    check(found["parameters"] == 9 + 20 + 42 + 2, "each of the two activations should have a parameter of its own")
    check(
        "a_act.weight" in found["state"] and "b_act.weight" in found["state"], "the activations' slopes are not saved"
    )


@points(2)
@EACH_DTYPE
@pytest.mark.parametrize("act", ["relu", "leaky"])
def test_chain_values(probes, rng, act, dtype):
    """make_mlp: with a loaded state the output or a gradient of a parameter differs."""
    layers = {"one": (5, 3), "two": (7, 5), "three": (2, 7)}
    state, x = drawn(rng, layers, dtype), rng.randn(4, 3, dtype=dtype)
    found = probes.chain([3, 5, 7, 2], act, list(layers), {n: t.clone() for n, t in state.items()}, x)
    leaves = {name: value.clone().requires_grad_() for name, value in state.items()}
    h = x
    for name in layers:
        h = h @ leaves[f"{name}.weight"].T + leaves[f"{name}.bias"]
        if name != "three":
            h = torch.where(h > 0, h, h * (0.0 if act == "relu" else 0.3))
    h.square().sum().backward()
    assert_close(found["out"], h.detach(), scale=8.0, name="output")
    assert_close(found["grads"], {name: leaf.grad for name, leaf in leaves.items()}, scale=32.0, name="gradients")


@points(2)
@pytest.mark.parametrize(
    "names",
    [["a", "b", "c"], [], ["a", "a"], ["a"], ["a", "b", "a"]],
    ids=["many", "none", "twice", "few", "many-and-twice"],
)
def test_names_that_do_not_fit(probes, names):
    """make_mlp: too many names, too few, or one of them twice: ValueError, and no layer is lost in silence."""
    assert_close(probes.refused([4, 3, 2], names), "ValueError", name="what is raised")


@points(2)
def test_parts_of_the_towers(probes):
    """TwoTower: left, right and head are chains with the stages of the table."""
    found = probes.towers()
    assert_close(found["types"], ["Sequential"] * 3, name="types of left, right and head")
    one = [("project", "Linear")]
    assert_close(found["left"], one, name="stages of left")
    assert_close(found["right"], [("hidden", "Linear"), ("hidden_act", "ReLU"), *one], name="stages of right")
    assert_close(found["head"], one, name="stages of head")


@points(2)
@EACH_DTYPE
def test_towers_values_and_gradients(solution, reference, rng, dtype):
    """TwoTower: the output or the gradient of an input differs: u is needed twice."""
    state = drawn(rng, TOWER, dtype)
    mine, theirs = loaded(solution, state), loaded(reference, state)
    inputs = (rng.randn(4, 3, dtype=dtype), rng.randn(4, 5, dtype=dtype))
    assert_same_gradients(mine, theirs, inputs, names=("a", "b"))


@points(2)
def test_towers_gradients_of_parameters(solution, reference, rng):
    """TwoTower: every weight and every bias must get its gradient."""
    state, a, b = drawn(rng, TOWER), rng.randn(4, 3, dtype=F64), rng.randn(4, 5, dtype=F64)
    cotangent, found = rng.randn(4, 2, dtype=F64), []
    for source in (solution, reference):
        module = loaded(source, state)
        named = dict(module.named_parameters())
        check(sorted(named) == sorted(state), "parameters() does not give each of the keys once")
        grads = torch.autograd.grad(module(a, b), [named[n] for n in sorted(named)], cotangent, allow_unused=True)
        check(all(g is not None for g in grads), "a parameter takes no part in the output")
        found.append(dict(zip(sorted(named), grads, strict=True)))
    assert_close(found[0], found[1], scale=8.0, name="gradients")


@points(1)
def test_towers_leave_their_inputs(solution, reference, rng):
    """TwoTower: inputs may be transposed, are not written to, and a loaded state decides the output."""
    state, a, b = drawn(rng, TOWER), rng.randn(3, 4, dtype=F64).t(), rng.randn(5, 4, dtype=F64).t()
    mine, theirs = loaded(solution, state), loaded(reference, state)
    assert_close(assert_not_mutated(mine, a, b), theirs(a, b))
    assert_state_dict_round_trip(lambda: solution.TwoTower(3, 5, 2), (rng.randn(4, 3), rng.randn(4, 5)))
