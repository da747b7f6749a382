"""Hidden tests: a classifier whose answers depend on the row and on nothing else."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import (
    assert_close,
    assert_deterministic,
    assert_mode_matters,
    assert_not_mutated,
    assert_same_gradients,
    check,
    points,
    sample,
)

D, H, K = 3, 4, 2
EACH_DTYPE = pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])


def state_of(rng, dtype=torch.float64):
    shapes = {"mean": (D,), "first.weight": (H, D), "first.bias": (H,), "norm.weight": (H,), "norm.bias": (H,)}
    shapes |= {"norm.running_mean": (H,), "last.weight": (K, H), "last.bias": (K,)}
    state = {name: rng.randn(*shape, dtype=dtype) for name, shape in shapes.items()}
    state |= {"std": 0.5 + rng.rand(D, dtype=dtype), "norm.running_var": 0.5 + rng.rand(H, dtype=dtype)}
    return state | {"norm.num_batches_tracked": torch.tensor(rng.integer(1, 9))}


def logits(x, state, training=False):
    """The logits without dropout."""
    h = F.linear((x - state["mean"]) / state["std"], state["first.weight"], state["first.bias"])
    mean, var = state["norm.running_mean"].clone(), state["norm.running_var"].clone()
    h = F.batch_norm(h, mean, var, state["norm.weight"], state["norm.bias"], training)
    return F.linear(F.relu(h), state["last.weight"], state["last.bias"])


def made(solution, state, dropout=0.5):
    model = solution.Classifier(D, H, K, dropout)
    check(set(model.state_dict()) == set(state), "state_dict() has other names than the statement's table")
    if state["mean"].dtype is torch.float64:
        model.to(torch.float64)
    model.load_state_dict(state)
    return model


@sample
@points(1)
def test_names(solution):
    """state_dict() has all names of the table, the norm's running statistics included."""
    names = {"mean", "std", "first.weight", "first.bias", "norm.weight", "norm.bias", "norm.running_mean"}
    names |= {"norm.running_var", "norm.num_batches_tracked", "last.weight", "last.bias"}
    check(set(solution.Classifier(3, 4, 2).state_dict()) == names, "names are missing, or there are too many")


@sample
@points(1)
def test_one_row(solution):
    """In eval mode, one row alone is answered, and twice with the same numbers."""
    model = solution.Classifier(3, 64, 2).eval()
    first, second = model(torch.ones(1, 3)), model(torch.ones(1, 3))
    check(bool(first.isfinite().all()), "the logits of one row are not finite")
    assert_close(second, first.detach(), name="the second answer")


@sample
@points(1)
def test_standardisation(solution):
    """Inputs are standardised with the stored mean and std, whatever the batch is."""
    model = solution.Classifier(1, 1, 1, dropout=0.0).eval()
    state = {name: torch.ones_like(value) for name, value in model.state_dict().items()}
    state |= {"mean": torch.tensor([10.0]), "std": torch.tensor([2.0]), "first.bias": torch.tensor([0.0])}
    state |= {"norm.running_mean": torch.tensor([0.0]), "norm.bias": torch.tensor([0.0])}
    model.load_state_dict(state)
    assert_close(model(torch.tensor([[14.0], [18.0]])).detach(), torch.tensor([[3.0], [5.0]]), rtol=1e-4)


@points(2)
@EACH_DTYPE
def test_eval_mode(solution, rng, dtype):
    """In eval mode the logits or their gradients are off: stored statistics everywhere, no dropout."""
    state = state_of(rng, dtype)
    model = made(solution, state).eval()
    assert_same_gradients(model, lambda x: logits(x, state), (rng.randn(5, D, dtype=dtype),), names=("x",))


@points(2)
def test_train_mode(solution, rng):
    """In train mode the norm uses the batch and moves its running statistics; the standardisation stays what it is."""
    state = state_of(rng)
    model = made(solution, state, dropout=0.0).train()
    x = rng.randn(6, D, dtype=torch.float64)
    assert_close(model(x).detach(), logits(x, state, training=True))
    h = F.linear((x - state["mean"]) / state["std"], state["first.weight"], state["first.bias"])
    after = dict(model.state_dict())
    moved = 0.9 * state["norm.running_mean"] + 0.1 * h.mean(0)
    assert_close(after["norm.running_mean"], moved, name="running mean")
    assert_close(after["norm.running_var"], 0.9 * state["norm.running_var"] + 0.1 * h.var(0), name="running variance")
    assert_close(after["mean"], state["mean"], name="mean")
    assert_close(after["std"], state["std"], name="std")


@points(2)
def test_dropout(solution, rng):
    """Dropout acts in train mode, with the given probability, and draws from the global generator."""
    state = state_of(rng)
    # No unit is dead for all rows: where the ReLU has taken a unit away, dropout is not seen.
    state["norm.bias"] = state["norm.bias"].abs() + 0.5
    x = rng.randn(64, D, dtype=torch.float64)
    model = made(solution, state).train()
    assert_mode_matters(model, x)
    check(not torch.equal(model(x).detach(), model(x).detach()), "two calls in train mode should drop different units")
    assert_deterministic(made(solution, state).train(), x)
    silent = made(solution, state, dropout=1.0).train()
    assert_close(silent(x).detach(), state["last.bias"].expand(64, K), name="logits with dropout 1")


@points(1)
def test_a_new_model(solution):
    """A new model has mean 0 and std 1, and drops each hidden unit with probability 0.3 unless it is told another one."""
    model = solution.Classifier(3, 64, 64).train()
    state = {name: torch.zeros_like(value) for name, value in model.state_dict().items()}
    assert_close(model.state_dict()["mean"], torch.zeros(3), name="mean")
    assert_close(model.state_dict()["std"], torch.ones(3), name="std")
    state |= {"std": torch.ones(3), "norm.bias": torch.ones(64), "last.weight": torch.eye(64)}
    model.load_state_dict(state)
    dropped = (model(torch.ones(40, 3)).detach() == 0).double().mean().item()
    check(0.2 < dropped < 0.4, "the share of dropped units is not about 0.3")


@points(1)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_gradients_of_the_weights(solution, rng, training):
    """All weights learn, in train mode and in eval mode; mean and std are no parameters."""
    state = state_of(rng)
    model = made(solution, state, dropout=0.0).train(training)
    x, cotangent = rng.randn(5, D, dtype=torch.float64), rng.randn(5, K, dtype=torch.float64)
    model(x).backward(cotangent)
    found = {name: p.grad for name, p in model.named_parameters()}
    names = {f"{layer}.{part}" for layer in ("first", "norm", "last") for part in ("weight", "bias")}
    check(set(found) == names, "the parameters are not those of the two linear layers and the norm")
    check(all(g is not None for g in found.values()), "a parameter has no gradient")
    leaves = {name: state[name].clone().requires_grad_() for name in sorted(names)}
    expected = torch.autograd.grad(logits(x, state | leaves, training), list(leaves.values()), cotangent)
    for name, gradient in zip(leaves, expected, strict=True):
        # In train mode the norm takes off what first.bias adds: its gradient is zero up to rounding.
        assert_close(found[name], gradient, scale=4.0, atol=1e-9, name=f"gradient of {name}")


@points(3)
@EACH_DTYPE
def test_frozen_answers(probes, rng, dtype):
    """A frozen model's answer to a row depends on chance, on other rows, or on their order; or it is not that of eval mode."""
    state = state_of(rng, dtype)
    x = rng.randn(5, D, dtype=dtype)
    found = probes.served(state, x)
    names = ("the batch", "the batch again", "row by row", "in reverse order")
    for name, output in zip(names, found["outputs"], strict=True):
        assert_close(output, logits(x, state), name=f"output for {name}")


@points(2)
def test_frozen_settings(probes, rng):
    """Every module of the frozen model is in eval mode, no parameter asks for gradients, the state is that of the original."""
    state = state_of(rng)
    found = probes.served(state, rng.randn(2, D, dtype=torch.float64))
    check(found["training"] == [], "a module of the frozen model is in train mode")
    check(found["learns"] == [], "a parameter of the frozen model asks for gradients")
    assert_close(found["state"], state, rtol=0.0, atol=0.0, name="state of the frozen model")


@points(2)
def test_original_is_untouched(probes, rng):
    """freeze changes the model that it is given: its modes, which parameters learn, or its state."""
    state = state_of(rng)
    found = probes.original(state)
    check(found["modes"], "the mode of a module of the original was changed")
    expected = {"first.weight", "norm.weight", "norm.bias", "last.weight", "last.bias"}
    check(set(found["learns"]) == expected, "other parameters of the original learn than before")
    assert_close(found["state"], state, rtol=0.0, atol=0.0, name="state of the original")


@points(2)
def test_training_goes_on(probes, rng):
    """The original is trained after freeze: it must be able to learn, and the frozen model must not notice."""
    x, labels = rng.randn(6, D, dtype=torch.float64), rng.randint(0, K, (6,))
    found = probes.trained_on(state_of(rng), x, labels)
    check(found["moved"], "the original can no longer be trained")
    assert_close(found["after"], found["before"], rtol=0.0, atol=0.0, name="output of the frozen model")


@points(1)
def test_nested_models(probes, rng):
    """freeze takes any module: what lies inside, on any level, is in eval mode as well."""
    state = state_of(rng)
    x = rng.randn(4, D, dtype=torch.float64)
    found = probes.nested(state, x)
    assert_close(found["output"], logits(x, state))
    check(not found["training"], "a module inside is in train mode")
    check(found["kept"], "the model that was given has changed its mode")


@points(1)
def test_inputs(solution, rng):
    """Inputs of any memory layout and an empty batch are fine in eval mode, and x is not changed."""
    state = state_of(rng)
    model = made(solution, state).eval()
    x = rng.randn(D, 8, dtype=torch.float64).T[::2]
    assert_close(assert_not_mutated(model, x).detach(), logits(x, state))
    check(model(x[:0]).shape == (0, K), "an empty batch should give (0, classes)")
