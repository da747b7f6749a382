"""Hidden tests: a linear layer with a low-rank update."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_deterministic,
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


def frozen(rng, d_out, d_in, bias=True, dtype=F64):
    """A weight and a bias, or None."""
    return rng.randn(d_out, d_in, dtype=dtype), rng.randn(d_out, dtype=dtype) if bias else None


def loaded(module, rng, d_out, d_in, rank, dtype=F64):
    """The module with random factors, and what it holds."""
    a, b = rng.randn(rank, d_in, dtype=dtype), rng.randn(d_out, rank, dtype=dtype)
    state = module.state_dict() | {"lora_a": a, "lora_b": b}
    module.load_state_dict(state)
    return a, b


def formula(x, weight, bias, a, b, scale):
    return F.linear(x, weight, bias) + scale * (x @ a.T) @ b.T


def trained(module):
    """The parameters that train, by name."""
    return {name: p for name, p in module.named_parameters() if p.requires_grad}


@sample
def test_starts_as_the_frozen_layer(solution, rng):
    """Before any training the update is zero: the layer gives what the frozen weight and bias give."""
    weight, bias = frozen(rng, 3, 5, dtype=F32)
    x = rng.randn(4, 5)
    assert_close(solution.LoRALinear(weight, bias)(x).detach(), F.linear(x, weight, bias))


@sample
def test_worked_numbers(solution):
    """The update of a small layer is off: A first, then B, then the scale alpha / rank."""
    module = solution.LoRALinear(torch.eye(2), None, rank=1, alpha=2.0)
    factors = {"lora_a": torch.tensor([[1.0, -1.0]]), "lora_b": torch.tensor([[10.0], [0.0]])}
    module.load_state_dict({"weight": torch.eye(2), **factors})
    assert_close(module(torch.tensor([[3.0, 5.0]])).detach(), torch.tensor([[-37.0, 5.0]]))
    assert_close(module.merged_weight().detach(), torch.tensor([[21.0, -20.0], [0.0, 1.0]]), name="merged weight")


@sample
def test_what_is_saved_and_what_trains(solution, rng):
    """The state dict holds the frozen part and two factors; of these, only the factors train."""
    weight, bias = frozen(rng, 3, 5, dtype=F32)
    expected = {"weight": (3, 5), "bias": (3,), "lora_a": (2, 5), "lora_b": (3, 2)}
    for given in (bias, None):
        module = solution.LoRALinear(weight, given, rank=2)
        if given is None:
            del expected["bias"]
        state = {name: tuple(value.shape) for name, value in module.state_dict().items()}
        check(state == expected, "names or shapes of the state dict are not as stated")
        check(set(trained(module)) == {"lora_a", "lora_b"}, "lora_a and lora_b train, and nothing else")


CASES = {  # shape of x, d_out, rank, alpha, bias, dtype
    "matrix": ((4, 5), 3, 2, 8.0, True, F64),
    "vector": ((5,), 3, 1, 4.0, False, F64),
    "tokens": ((2, 3, 7), 2, 3, 1.5, True, F32),
    "wide-rank": ((3, 2), 3, 5, 10.0, True, F64),
    "four-dimensions": ((2, 1, 3, 4), 5, 2, 16.0, False, F32),
    "no-rows": ((0, 4), 3, 2, 8.0, True, F32),
}


@points(2)
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(solution, reference, rng, name):
    """The output or the gradient of x is off: the frozen layer plus alpha / rank times the update, for every row."""
    shape, d_out, rank, alpha, bias, dtype = CASES[name]
    weight, b = frozen(rng, d_out, shape[-1], bias, dtype)
    mine, theirs = (source.LoRALinear(weight, b, rank, alpha) for source in (solution, reference))
    loaded(mine, rng, d_out, shape[-1], rank, dtype)
    theirs.load_state_dict(mine.state_dict())
    assert_same_gradients(mine, theirs, (rng.randn(*shape, dtype=dtype),), names=["x"])


@points(2)
@EACH_DTYPE
def test_gradients_of_the_factors(solution, rng, dtype):
    """A factor's gradient is off, or something frozen received one: follow the formula backwards."""
    weight, bias = frozen(rng, 4, 6, dtype=dtype)
    module = solution.LoRALinear(weight.requires_grad_(), bias.requires_grad_(), 2, 6.0)
    a, b = (t.requires_grad_() for t in loaded(module, rng, 4, 6, 2, dtype))
    x, cotangent = rng.randn(2, 3, 6, dtype=dtype), rng.randn(2, 3, 4, dtype=dtype)
    out = module(x)
    check(out.shape == cotangent.shape, "output: the shape is wrong")
    out.backward(cotangent)
    formula(x, weight.detach(), bias.detach(), a, b, 3.0).backward(cotangent)
    found = {name: p.grad for name, p in module.named_parameters() if p.grad is not None}
    check(set(found) == {"lora_a", "lora_b"}, "lora_a and lora_b receive gradients, and nothing else")
    assert_close(found["lora_a"], a.grad, scale=4.0, name="gradient of lora_a")
    assert_close(found["lora_b"], b.grad, scale=4.0, name="gradient of lora_b")


@points(2)
@pytest.mark.parametrize("history", [False, True], ids=["leaves", "results"])
def test_the_callers_tensors(probes, rng, history):
    """The tensors that were passed in belong to the caller: no gradient may reach them, and requires_grad stays as it was."""
    weight, bias = frozen(rng, 3, 5)
    found = probes.what_the_caller_keeps(weight, bias, rng.randn(4, 5, dtype=F64), history)
    check(not any(found["gradients"]), "a backward pass left a gradient on the weight or the bias that was passed in")
    check(all(found["requires"]), "requires_grad of a tensor that was passed in was changed")
    check(found["same"], "a tensor that was passed in was changed")


@points(2)
@EACH_DTYPE
def test_the_start(solution, rng, dtype):
    """lora_b starts as zeros and lora_a does not, in the dtype of the weight: with two zeros nothing would ever be learned."""
    weight, bias = frozen(rng, 3, 64, dtype=dtype)
    torch.manual_seed(rng.seed())
    one, two = solution.LoRALinear(weight, bias), solution.LoRALinear(weight, bias)
    a, b = one.state_dict()["lora_a"], one.state_dict()["lora_b"]
    assert_close(b, torch.zeros(3, 4, dtype=dtype), name="lora_b at the start")
    check(a.dtype == dtype, "lora_a must have the dtype of the weight")
    check(
        bool((a != 0).any()) and bool((a.abs() <= 10).all()), "lora_a at the start: random, moderate numbers expected"
    )
    check(
        not torch.equal(a, two.state_dict()["lora_a"]), "lora_a is the same in every layer: it must be drawn at random"
    )
    check(bool((a < 0).any()) and bool((a > 0).any()), "lora_a at the start: mean 0 expected, so both signs")
    one(rng.randn(5, 64, dtype=dtype)).sum().backward()
    grads = {name: p.grad for name, p in trained(one).items()}
    check(grads.get("lora_b") is not None and bool((grads["lora_b"] != 0).any()), "lora_b receives no gradient")


@points(2)
def test_training_moves_only_the_factors(solution, rng):
    """A few steps of gradient descent change the factors and leave the frozen weight and bias bit for bit as they were."""
    weight, bias = frozen(rng, 3, 5, dtype=F32)
    module = solution.LoRALinear(weight, bias, rank=2)
    x = rng.randn(6, 5)
    for _ in range(2):
        module.zero_grad()
        module(x).square().mean().backward()
        with torch.no_grad():  # a step of plain gradient descent
            for p in module.parameters():
                if p.grad is not None:
                    p -= 0.1 * p.grad
    state = module.state_dict()
    check(torch.equal(state["weight"], weight) and torch.equal(state["bias"], bias), "the frozen part has moved")
    check(bool((state["lora_b"] != 0).any()), "lora_b has not moved")
    scale = 8.0 / 2
    expected = formula(x, weight, bias, state["lora_a"], state["lora_b"], scale)
    assert_close(module(x).detach(), expected, name="output after training")


@points(2)
def test_the_factors_do_not_meet(solution, rng):
    """The forward pass multiplied A with B: their product is as large as the full weight. Multiply x with A, then with B."""
    d = 4
    module = solution.LoRALinear(rng.randn(d, d), None, rank=1, alpha=1.0)
    a = torch.tensor([[1.0, -1.0, 0.0, 0.0]]) * 2.0**100
    b = torch.ones(d, 1) * 2.0**100
    weight = module.state_dict()["weight"]
    module.load_state_dict({"weight": weight, "lora_a": a, "lora_b": b})
    x = rng.randn(3, d)
    x[:, 1] = x[:, 0]  # the update is exactly zero
    assert_close(module(x).detach(), x @ weight.T)


@points(2)
@EACH_DTYPE
def test_merged_weight(solution, rng, dtype):
    """A plain linear layer with the merged weight must give the same outputs, and asking for it changes nothing."""
    weight, bias = frozen(rng, 3, 6, dtype=dtype)
    module = solution.LoRALinear(weight, bias, 2, 5.0, 0.5)
    a, b = loaded(module, rng, 3, 6, 2, dtype)
    module.eval()
    before = {name: value.clone() for name, value in module.state_dict().items()}
    x = rng.randn(4, 6, dtype=dtype)
    out = module(x).detach()
    merged = module.merged_weight().detach()
    assert_close(merged, weight + 2.5 * (b @ a), scale=4.0, name="merged weight")
    assert_close(F.linear(x, merged, bias), out, scale=8.0, name="output of the merged layer")
    assert_close(module.merged_weight().detach(), merged, name="merged weight, asked for twice")
    assert_close(module(x).detach(), out, name="output after merging")
    assert_close(dict(module.state_dict()), before, name="state after merging")
    module.train()
    assert_close(module.merged_weight().detach(), merged, name="merged weight in training mode")
    check(module.training, "merged_weight() changed the mode")
    module.load_state_dict(before | {"lora_a": 2 * a})
    assert_close(
        module.merged_weight().detach(), weight + 5.0 * (b @ a), scale=8.0, name="merged weight of other factors"
    )


@points(2)
def test_dropout_of_everything(solution, rng):
    """With dropout=1 the update vanishes in training and is whole in evaluation; the frozen path never drops anything."""
    weight, bias = frozen(rng, 3, 6)
    module = solution.LoRALinear(weight, bias, 2, 4.0, 1.0)
    a, b = loaded(module, rng, 3, 6, 2)
    x = rng.randn(5, 6, dtype=F64)
    assert_close(module.train()(x).detach(), F.linear(x, weight, bias), name="output in training")
    assert_close(module.eval()(x).detach(), formula(x, weight, bias, a, b, 2.0), name="output in evaluation")


@points(2)
def test_dropout_keeps_the_mean(solution, rng):
    """What dropout keeps is scaled by 1 / (1 - p), separately for each input feature and in every call."""
    d = 40
    module = solution.LoRALinear(torch.zeros(d, d), None, d, float(d), 0.75)
    module.load_state_dict({"weight": torch.zeros(d, d), "lora_a": torch.eye(d), "lora_b": torch.eye(d)})
    x = rng.rand(50, d) + 1.0
    torch.manual_seed(rng.seed())
    first, second = module.train()(x).detach(), module(x).detach()
    check(first.shape == x.shape, "output: the shape is wrong")
    kept = first != 0
    assert_close(first, torch.where(kept, 4 * x, 0.0), name="output in training")
    # 2000 draws with probability 1/4: the mean is within 0.06 with more than six standard deviations to spare
    check(abs(float(kept.float().mean()) - 0.25) < 0.06, "dropout keeps another share than 1 - p")
    check(
        bool((kept.any(1) & ~kept.all(1)).any()),
        "dropout keeps or drops whole rows: it acts on each feature of the input",
    )
    check(not torch.equal(first, second), "dropout makes the same choice in every call")
    assert_close(module.eval()(x).detach(), x, name="output in evaluation")


@points(1)
def test_dropout_stands_before_the_factors(solution, rng):
    """Dropout acts on the features of x: between the factors, or behind them, it drops sums of all features at once."""
    d = 40
    module = solution.LoRALinear(torch.zeros(1, d), None, 1, 1.0, 0.5)
    module.load_state_dict({"weight": torch.zeros(1, d), "lora_a": torch.ones(1, d), "lora_b": torch.ones(1, 1)})
    found = module.train()(rng.rand(30, d) + 1.0).detach()
    # a row loses all its features with probability 2^-40
    check(bool((found != 0).all()), "a row has lost the update as a whole: dropout acts on each feature of the input")


@points(1)
def test_nothing_random_without_dropout(solution, rng):
    """Without dropout both modes agree, and equal inputs give equal outputs."""
    weight, bias = frozen(rng, 3, 5, dtype=F32)
    module = solution.LoRALinear(weight, bias, 2)
    loaded(module, rng, 3, 5, 2, F32)
    x = rng.randn(2, 5)
    assert_ignores_mode(module, x)
    assert_deterministic(module, x)


@points(1)
@pytest.mark.parametrize("layout", ["transposed", "strided", "expanded"])
def test_layouts(solution, reference, rng, layout):
    """Transposed, strided and expanded inputs are tensors like any other, and so is a transposed weight."""
    x = {
        "transposed": lambda: rng.randn(2, 6, 5, dtype=F64).transpose(1, 2),
        "strided": lambda: rng.randn(4, 12, dtype=F64)[::2, ::2],
        "expanded": lambda: rng.randn(1, 6, dtype=F64).expand(3, 6),
    }[layout]()
    weight = rng.randn(6, 3, dtype=F64).T
    mine, theirs = (source.LoRALinear(weight, None, 2) for source in (solution, reference))
    loaded(mine, rng, 3, 6, 2)
    theirs.load_state_dict(mine.state_dict())
    assert_same_gradients(mine, theirs, (x,), names=["x"])


@points(1)
def test_state_travels(solution, rng):
    """What state_dict() saves must be what load_state_dict() needs to give the same outputs."""
    weight, bias = frozen(rng, 3, 5, dtype=F32)
    assert_state_dict_round_trip(lambda: solution.LoRALinear(weight, bias, 2), rng.randn(2, 5))


@points(1)
def test_a_rank_below_one_is_refused(solution, rng):
    """A rank of zero or less has no factors: the constructor raises ValueError."""
    for rank in (0, -2):
        with pytest.raises(ValueError):
            solution.LoRALinear(rng.randn(3, 4), None, rank)


@points(1)
def test_x_is_left_alone(solution, rng):
    """x was modified: in-place operations belong on tensors that you made yourself."""
    weight, bias = frozen(rng, 3, 5, dtype=F32)
    module = solution.LoRALinear(weight, bias, 2, 8.0, 0.5)
    assert_not_mutated(module.train(), rng.randn(4, 5))
    assert_not_mutated(module.eval(), rng.randn(4, 5))
