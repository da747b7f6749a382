"""Hidden tests: a linear layer with a low-rank update, merged and unmerged."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_ignores_mode,
    assert_not_mutated,
    assert_same_gradients,
    assert_state_dict_round_trip,
    check,
    points,
    sample,
)

F32, F64 = torch.float32, torch.float64
EACH_DTYPE = pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])


def made(solution, rng, d_out=3, d_in=5, rank=2, alpha=6.0, bias=True, dtype=F64):
    """A layer with random factors, and its state."""
    weight = rng.randn(d_out, d_in, dtype=dtype)
    module = solution.LoRALinear(weight, rng.randn(d_out, dtype=dtype) if bias else None, rank, alpha)
    factors = {"lora_a": rng.randn(rank, d_in, dtype=dtype), "lora_b": rng.randn(d_out, rank, dtype=dtype)}
    module.load_state_dict(module.state_dict() | factors)
    return module, {name: value.clone() for name, value in module.state_dict().items()}


def formula(x, state, scale):
    return F.linear(x, state["weight"], state.get("bias")) + scale * (x @ state["lora_a"].T) @ state["lora_b"].T


@sample
def test_worked_numbers(solution):
    """A small layer gives the same before and after the merge, and its saved weight stays as it was."""
    module = solution.LoRALinear(torch.eye(2), None, rank=1, alpha=2.0)
    factors = {"lora_a": torch.tensor([[1.0, -1.0]]), "lora_b": torch.tensor([[10.0], [0.0]])}
    module.load_state_dict({"weight": torch.eye(2), **factors})
    x, expected = torch.tensor([[3.0, 5.0]]), torch.tensor([[-37.0, 5.0]])
    assert_close(module(x).detach(), expected)
    module.merge()
    assert_close(module(x).detach(), expected, name="output while merged")
    assert_close(module.state_dict()["weight"], torch.eye(2), name="saved weight while merged")


@sample
def test_says_whether_it_is_merged(solution):
    """`merged` is False at first, True after merge(), and False again after unmerge()."""
    module = solution.LoRALinear(torch.eye(2), None, rank=1)
    seen = [module.merged]
    for step in (module.merge, module.merge, module.unmerge, module.unmerge):
        step()
        seen.append(module.merged)
    check(seen == [False, True, True, False, False], "merged does not say what the last call did")


@sample
def test_starts_as_the_frozen_layer(solution, rng):
    """Before any training the update is zero, merged or not."""
    weight, bias, x = rng.randn(3, 5), rng.randn(3), rng.randn(4, 5)
    module = solution.LoRALinear(weight, bias)
    assert_close(module(x).detach(), F.linear(x, weight, bias))
    module.merge()
    assert_close(module(x).detach(), F.linear(x, weight, bias), name="output while merged")


CASES = {  # shape of x, d_out, rank, alpha, bias, dtype
    "matrix": ((4, 5), 3, 2, 8.0, True, F64),
    "vector": ((5,), 3, 1, 4.0, False, F64),
    "tokens": ((2, 3, 7), 2, 3, 1.5, True, F32),
    "wide-rank": ((3, 2), 3, 5, 10.0, False, F64),
    "no-rows": ((0, 4), 3, 2, 8.0, True, F32),
}


@points(3)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(solution, rng, name):
    """The output or the gradient of x is off, merged or not: alpha / rank times the update, once."""
    shape, d_out, rank, alpha, bias, dtype = CASES[name]
    module, state = made(solution, rng, d_out, shape[-1], rank, alpha, bias, dtype)
    x = rng.randn(*shape, dtype=dtype)
    assert_same_gradients(module, lambda t: formula(t, state, alpha / rank), (x,), names=["x"], scale=4.0)
    module.merge()
    assert_same_gradients(module, lambda t: formula(t, state, alpha / rank), (x,), names=["x"], scale=16.0)


@points(1)
def test_usual_rank_and_scale(solution, rng):
    """Without rank and alpha, the rank is 4 and the scale 8 / 4, merged or not."""
    weight = rng.randn(3, 6)
    module = solution.LoRALinear(weight)
    state = {"weight": weight, "lora_a": rng.randn(4, 6), "lora_b": rng.randn(3, 4)}
    module.load_state_dict(state)
    x = rng.randn(5, 6)
    assert_close(module(x).detach(), formula(x, state, 2.0), scale=2.0)
    module.merge()
    assert_close(module(x).detach(), formula(x, state, 2.0), scale=8.0, name="output while merged")


@points(3)
@EACH_DTYPE
def test_unmerge_leaves_no_trace(solution, rng, dtype):
    """The weight or the output after unmerge() is not what it was: subtracting what was added does not give it back."""
    module, state = made(solution, rng, dtype=dtype)
    module.load_state_dict(state | {"lora_b": 1e5 * state["lora_b"]})
    x = rng.randn(4, 5, dtype=dtype)
    before = module(x).detach()
    for _ in range(3):
        module.merge()
        module(x)
        module.unmerge()
    check(torch.equal(module.state_dict()["weight"], state["weight"]), "the frozen weight has changed")
    check(torch.equal(module(x).detach(), before), "the output is not what it was before the merge")


@points(2)
def test_merging_twice(solution, rng):
    """A second merge() adds the update once more, or a second unmerge() takes it out once more."""
    module, state = made(solution, rng)
    x = rng.randn(4, 5, dtype=F64)
    expected = formula(x, state, 3.0)
    module.unmerge()
    assert_close(module(x).detach(), expected, name="output after unmerge() of a layer that was not merged")
    module.merge()
    module.merge()
    assert_close(module(x).detach(), expected, scale=8.0, name="output after two merges")
    module.unmerge()
    module.unmerge()
    assert_close(module(x).detach(), expected, name="output after two unmerges")


@points(2)
def test_merging_takes_the_present_factors(solution, rng):
    """The merged weight belongs to factors of another moment: those of the last merge() count, and of nothing else."""
    module, state = made(solution, rng)
    x = rng.randn(4, 5, dtype=F64)
    module.merge()
    module.unmerge()
    changed = state | {"lora_a": rng.randn(2, 5, dtype=F64)}
    module.load_state_dict(changed)
    assert_close(module(x).detach(), formula(x, changed, 3.0), name="output with other factors")
    module.merge()
    assert_close(module(x).detach(), formula(x, changed, 3.0), scale=8.0, name="output merged with other factors")
    with torch.no_grad():
        for name, p in module.named_parameters():
            if name == "lora_b":
                p -= -1.0 * p
    assert_close(module(x).detach(), formula(x, changed, 3.0), scale=8.0, name="output after the factors moved")
    module.merge()
    assert_close(module(x).detach(), formula(x, changed, 6.0), scale=8.0, name="output merged again")


@points(2)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no-bias"])
def test_what_is_saved(solution, rng, bias):
    """The state dict of a merged layer is that of the same layer before: no other weight, and no other names."""
    module, state = made(solution, rng, bias=bias)
    module.merge()
    found = dict(module.state_dict())
    names = {"weight", "lora_a", "lora_b"} | ({"bias"} if bias else set())
    check(set(found) == names, "names of the state dict are not as stated")
    assert_close(found, state, name="state dict while merged")


@points(2)
def test_one_product_while_merged(solution, rng):
    """The thin products still run while the layer is merged: x times A overflows here, and B times A does not."""
    d = 4
    module = solution.LoRALinear(rng.randn(d, d), None, rank=1, alpha=1.0)
    state = module.state_dict()
    module.load_state_dict(state | {"lora_a": torch.full((1, d), 2.0**100), "lora_b": torch.full((d, 1), 2.0**-100)})
    module.merge()
    x = 2.0**30 * (1 + rng.rand(3, d))
    assert_close(module(x).detach(), x @ (state["weight"] + 1.0).T, scale=4.0)


@points(2)
def test_two_thin_products_while_not_merged(solution, rng):
    """The forward pass multiplied A with B although the layer is not merged."""
    d = 4
    module = solution.LoRALinear(rng.randn(d, d), None, rank=1, alpha=1.0)
    state = module.state_dict()
    a = torch.tensor([[1.0, -1.0, 0.0, 0.0]]) * 2.0**100
    module.load_state_dict(state | {"lora_a": a, "lora_b": torch.full((d, 1), 2.0**100)})
    x = rng.randn(3, d)
    x[:, 1] = x[:, 0]  # the update is exactly zero
    assert_close(module(x).detach(), x @ state["weight"].T)


@points(2)
def test_what_receives_gradients(solution, rng):
    """Not merged, exactly the factors receive gradients; merged, no parameter does; unmerged, the factors do again."""
    module, state = made(solution, rng)
    x, cotangent = rng.randn(2, 3, 5, dtype=F64), rng.randn(2, 3, 3, dtype=F64)
    a, b = (state[name].clone().requires_grad_() for name in ("lora_a", "lora_b"))
    formula(x, state | {"lora_a": a, "lora_b": b}, 3.0).backward(cotangent)
    for merged in (False, True, False):
        module.zero_grad()
        if merged:
            module.merge()
        else:
            module.unmerge()
        leaf = x.clone().requires_grad_()
        module(leaf).backward(cotangent)
        found = {name: p.grad for name, p in module.named_parameters() if p.grad is not None and bool(p.grad.any())}
        check(
            set(found) == (set() if merged else {"lora_a", "lora_b"}), "other parameters than stated receive gradients"
        )
        if not merged:
            assert_close(found["lora_a"], a.grad, scale=4.0, name="gradient of lora_a")
            assert_close(found["lora_b"], b.grad, scale=4.0, name="gradient of lora_b")


@points(1)
def test_what_trains(solution, rng):
    """lora_a starts at random and lora_b as zeros; these two require gradients, and nothing else does."""
    one, two = (solution.LoRALinear(torch.zeros(3, 64, dtype=F64), torch.zeros(3, dtype=F64)) for _ in range(2))
    trains = {name for name, p in one.named_parameters() if p.requires_grad}
    check(trains == {"lora_a", "lora_b"}, "lora_a and lora_b train, and nothing else")
    shapes = {name: (tuple(value.shape), value.dtype) for name, value in one.state_dict().items()}
    expected = {"weight": ((3, 64), F64), "bias": ((3,), F64), "lora_a": ((4, 64), F64), "lora_b": ((3, 4), F64)}
    check(shapes == expected, "names, shapes or dtypes of the state dict are not as stated")
    a = one.state_dict()["lora_a"]
    check(bool((a > 0).any()) and bool((a < 0).any()), "lora_a at the start: random numbers expected")
    check(not torch.equal(a, two.state_dict()["lora_a"]), "lora_a is the same in every layer")
    assert_close(one.state_dict()["lora_b"], torch.zeros(3, 4, dtype=F64), name="lora_b at the start")


@points(2)
@pytest.mark.parametrize("how", ["deepcopy", "double"])
def test_copies_of_a_merged_layer(probes, solution, rng, how):
    """A copy of a merged layer, or its conversion to float64, is merged too, and can be unmerged."""
    _, state = made(solution, rng, alpha=4.0, dtype=F32)
    x = rng.randn(4, 5)
    found = probes.after_a_copy(state, x, how)
    check(found["merged"], "the copy does not say that it is merged")
    dtype = F64 if how == "double" else F32
    exact = formula(x, state, 2.0)
    check(found["output"].dtype == dtype, "the output of the copy has another dtype")
    assert_close(found["output"].float(), exact, scale=16.0, name="output of the copy")
    check(torch.equal(found["weight"].float(), state["weight"]), "the frozen weight of the copy has changed")


@points(1)
def test_modes_and_arguments(solution, rng):
    """A forward pass changes neither its input nor the mode, and training mode makes no difference."""
    module, _ = made(solution, rng)
    x = rng.randn(2, 5, dtype=F64)
    for step in (module.unmerge, module.merge):
        step()
        was = module.merged
        assert_ignores_mode(module, x)
        assert_not_mutated(module, x)
        check(module.merged == was, "a forward pass changed merged")
    module.eval()
    module.merge()
    check(not module.training, "merge() changed the mode")
    module.unmerge()
    check(not module.training, "unmerge() changed the mode")


@points(1)
def test_state_travels(solution, rng):
    """What state_dict() saves must be what load_state_dict() needs to give the same outputs."""
    weight, bias = rng.randn(3, 5), rng.randn(3)
    assert_state_dict_round_trip(lambda: solution.LoRALinear(weight, bias, 2), rng.randn(2, 5))
