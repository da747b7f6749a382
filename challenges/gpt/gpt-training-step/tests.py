"""Hidden tests: the training step of a language model, and its parameter groups."""

import pytest
import torch
import torch.nn.functional as F

from grader.testing import assert_close, check, points, sample

F32, F64 = torch.float32, torch.float64
SIZES = (7, 6, 4, 2, 1)
KINDS = ["gpt", "convolutions", "scalars", "frozen", "shared", "empty"]
MATRICES = ("tokens.weight", "positions.weight", "qkv.weight", "out.weight", "up.weight", "down.weight")


WANTED = {
    "gpt": [
        sorted(
            ["embed.tokens.weight", "embed.positions.weight"]
            + [f"blocks.0.{n}.weight" for n in ("attention.qkv", "attention.out", "up", "down")]
        ),
        sorted(
            [f"blocks.0.{n}.bias" for n in ("attention.qkv", "attention.out", "up", "down", "norm1", "norm2")]
            + ["blocks.0.norm1.weight", "blocks.0.norm2.weight", "norm.weight", "norm.bias"]
        ),
    ],
    "convolutions": [["0.weight", "3.weight"], ["0.bias", "1.bias", "1.weight"]],
    "scalars": [["row", "weight"], ["bias", "scale"]],
    "frozen": [
        sorted(f"blocks.0.{n}.weight" for n in ("attention.qkv", "attention.out", "up", "down")),
        sorted(
            [f"blocks.0.{n}.bias" for n in ("attention.qkv", "attention.out", "up", "down", "norm1", "norm2")]
            + ["blocks.0.norm1.weight", "blocks.0.norm2.weight", "norm.bias"]
        ),
    ],
    "shared": [["0.weight", "1.weight"], ["0.bias"]],
    "empty": [[], []],
}


def start(rng, given, dtype=F64):
    """A state with moderate random weights."""
    torch.manual_seed(rng.seed())
    model = given.GPT(*SIZES).to(dtype)
    return {name: value + 0.3 * rng.randn(*value.shape, dtype=dtype) for name, value in model.state_dict().items()}


def texts(rng, rows=3, columns=6):
    return rng.randint(1, 7, (rows, columns))


def padded(rng):
    """Rows of different lengths; 0 is padding."""
    ids = texts(rng)
    ids[0, 4:] = 0
    ids[1, 2:] = 0
    return ids


def written_out(given, state, batches, plan, tiny=0.0):
    """The same steps, each written out: losses and parameters."""
    model = given.GPT(*SIZES).to(state["norm.weight"].dtype)
    model.load_state_dict(state)
    named = {n: p for n, p in model.named_parameters() if n not in plan.get("frozen", ())}
    options = plan.get("options", {})
    padding, max_norm = options.get("padding"), options.get("max_norm", 1.0)
    first = {name: torch.zeros_like(p) for name, p in named.items()}
    second = {name: torch.zeros_like(p) for name, p in named.items()}
    losses = []
    for step, ids in enumerate(batches, 1):
        each = F.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, 1:], reduction="none")
        counts = torch.ones_like(each) if padding is None else (ids[:, 1:] != padding).to(each.dtype)
        loss = (each * counts).sum() / counts.sum()
        gradients = dict(zip(named, torch.autograd.grad(loss, list(named.values())), strict=True))
        norm = torch.stack([g.norm() for g in gradients.values()]).norm()
        scale = min(1.0, max_norm / (float(norm) + tiny))
        losses.append(loss.item())
        with torch.no_grad():
            for name, p in named.items():
                g = gradients[name] * scale
                if plan["optimizer"] == "SGD":
                    p -= plan["lr"] * g
                    continue
                if p.ndim >= 2:
                    p *= 1 - plan["lr"] * plan["weight_decay"]
                first[name] = 0.9 * first[name] + 0.1 * g
                second[name] = 0.999 * second[name] + 0.001 * g**2
                size = (second[name] / (1 - 0.999**step)).sqrt() + 1e-8
                p -= plan["lr"] * first[name] / (1 - 0.9**step) / size
    return losses, {name: value.detach().clone() for name, value in model.state_dict().items()}


def calm(given, rng, draw, plan, dtype=F64):
    """A state, and batches from `draw`, with which several steps hardly amplify small differences."""
    # Answers round differently, and may clip by the norm or by the norm plus 1e-6. A norm layer over four features that are
    # nearly equal can amplify this beyond the tolerance of `compare`, so such draws are not used.
    while True:
        state, batches = start(rng, given, dtype), draw()
        exact = {name: value.double() for name, value in state.items()}
        runs = written_out(given, state, batches, plan), written_out(given, exact, batches, plan, tiny=1e-6)
        one, other = [
            torch.cat([torch.tensor(losses), *(v.flatten() for v in s.values())]).double() for losses, s in runs
        ]
        if torch.allclose(one, other, rtol=1e-5, atol=1e-5):
            return state, batches


def compare(probes, given, rng, state, batches, plan):
    found = probes.train(SIZES, state, batches, plan)
    check(found["error"] == "", "the step raised a ValueError")
    losses, wanted = written_out(given, state, batches, plan)
    check(all(type(loss) is float for loss in found["losses"]), "the loss should be a Python float")
    check(len(found["losses"]) == len(losses), "a step should return one loss")
    # clip_grad_norm_ divides by the norm plus 1e-6, so clipped gradients may differ by a millionth
    assert_close(
        torch.tensor(found["losses"], dtype=F64), torch.tensor(losses, dtype=F64), rtol=1e-4, atol=1e-4, name="losses"
    )
    assert_close(found["state"], wanted, rtol=1e-4, atol=1e-4, name="parameters after the steps")
    return found


SGD = {"optimizer": "SGD", "lr": 0.5}
# For several steps: with longer ones, a difference of a millionth may grow beyond the tolerance.
SHORT = {"optimizer": "SGD", "lr": 0.1}
ADAMW = {"optimizer": "AdamW", "lr": 0.02, "weight_decay": 0.1}


@sample
@points(1)
def test_one_step(probes, given, rng):
    """One step of SGD: the loss, and the parameters after it."""
    compare(probes, given, rng, start(rng, given), [texts(rng)], SGD)


@sample
@points(1)
def test_groups_of_a_gpt(probes):
    """Matrices decay; biases and norms do not."""
    found = probes.groups("gpt", 0.1)
    check(found["decays"] == [0.1, 0.0], "the groups should have the weight decays 0.1 and 0.0, in this order")
    check(all(name.endswith(MATRICES) for name in found["names"][0]), "the first group should have matrices only")
    check(len(found["names"][0]) == 6 and len(found["names"][1]) == 10, "there should be 6 and 10 parameters")


@sample
@points(1)
def test_padding_does_not_count(probes, given, rng):
    """Targets that are padding do not count, neither in the sum nor in the number."""
    compare(probes, given, rng, start(rng, given), [padded(rng)], SGD | {"options": {"padding": 0}})


@points(3)
@pytest.mark.parametrize("plan", [SHORT, ADAMW], ids=["SGD", "AdamW"])
@pytest.mark.parametrize("padding", [None, 0], ids=["no-padding", "padding"])
def test_several_steps(probes, given, rng, plan, padding):
    """After several steps losses or parameters differ from those of a loop that is written out."""
    plan = plan | {"options": {"padding": padding}}
    state, batches = calm(given, rng, lambda: [padded(rng) for _ in range(4)], plan)
    compare(probes, given, rng, state, batches, plan)


@points(2)
@pytest.mark.parametrize("padding", [3, 6])
def test_any_id_may_be_padding(probes, given, rng, padding):
    """The padding may be any id, and it is still read as input."""
    ids = texts(rng, 4, 6)
    ids[0, 2:], ids[1, 5:] = padding, padding
    compare(probes, given, rng, start(rng, given), [ids], SGD | {"options": {"padding": padding}})


@points(2)
@pytest.mark.parametrize("max_norm", [1e-3, 0.1, 1e3], ids=str)
def test_clipping(probes, given, rng, max_norm):
    """The norm over all parameters together is clipped to max_norm, and a small gradient is left as it is."""
    plan = SGD | {"options": {"max_norm": max_norm}}
    state = start(rng, given)
    ids = texts(rng)
    found = compare(probes, given, rng, state, [ids], plan)
    moved = torch.stack([(found["state"][name] - state[name]).norm() for name in state]).norm() / plan["lr"]
    check(float(moved) <= max_norm * 1.001, "the step is longer than max_norm allows")
    if max_norm < 1:
        check(float(moved) > max_norm * 0.99, "the step is shorter than max_norm allows")


@points(2)
@pytest.mark.parametrize("plan", [SHORT, ADAMW], ids=["SGD", "AdamW"])
def test_old_gradients_are_forgotten(probes, given, rng, plan):
    """Gradients from before this step must not take part, neither in the step nor in the norm."""
    state, batches = calm(given, rng, lambda: [texts(rng), texts(rng)], plan)
    compare(probes, given, rng, state, batches, plan | {"stale": 100.0})


@points(2)
def test_one_pass_and_one_step(probes, given, rng):
    """A step is one forward pass over T tokens in training mode and one optimizer step; the model stays in this mode."""
    state, batches = calm(given, rng, lambda: [texts(rng), texts(rng, 2, 4)], SGD)
    found = compare(probes, given, rng, state, batches, SGD | {"training": False})
    check(found["steps"] == 2, "the optimizer should step once for each batch")
    check([shape for shape, _ in found["passes"]] == [(3, 5), (2, 3)], "one pass over the first T tokens is expected")
    check(all(mode for _, mode in found["passes"]) and found["training"], "the step should run in training mode")


@points(2)
def test_short_texts(probes, given, rng):
    """Two columns are one prediction for each row."""
    state, batches = calm(given, rng, lambda: [texts(rng, 3, 2), texts(rng, 1, 2)], SGD)
    compare(probes, given, rng, state, batches, SGD)


@points(1)
def test_float32(probes, given, rng):
    """The same in float32."""
    # with SGD: Adam would divide the gradient of the key bias, which is only rounding error, by its own size
    plan = SGD | {"options": {"padding": 0}}
    state, batches = calm(given, rng, lambda: [padded(rng) for _ in range(3)], plan, F32)
    compare(probes, given, rng, state, batches, plan)


@points(2)
@pytest.mark.parametrize("plan", [ADAMW, SGD | {"stale": 100.0}], ids=["plain", "with-an-old-gradient"])
def test_frozen_parameters(probes, given, rng, plan):
    """Frozen parameters stay as they are, and do not disturb the norm, not even with a gradient from before they were frozen."""
    plan = plan | {"frozen": ("blocks.0.up.weight", "norm.weight")}
    state, batches = calm(given, rng, lambda: [texts(rng), texts(rng)], plan)
    compare(probes, given, rng, state, batches, plan)


@points(2)
@pytest.mark.parametrize("case", ["all-padding", "one-column", "first-column-counts-not"])
def test_nothing_to_learn_from(probes, given, rng, case):
    """Without a target that counts, there is a ValueError, and nothing has been changed."""
    ids = torch.zeros(2, 4, dtype=torch.int64)
    if case == "one-column":
        ids = texts(rng, 3, 1)
    if case == "first-column-counts-not":
        ids[:, 0] = 5
    state = start(rng, given)
    plan = ADAMW | {"stale": 7.0, "training": False, "options": {"padding": 0}}
    found = probes.train(SIZES, state, [ids], plan)
    check(found["error"] == "ValueError", "there should be a ValueError")
    check(found["steps"] == 0 and found["moments"] == 0, "the optimizer has been used")
    check(found["stale"], "the gradients from before have been changed")
    check(not found["training"], "the mode of the model has been changed")
    assert_close(found["state"], state, rtol=0.0, atol=0.0, name="parameters")


@points(2)
@pytest.mark.parametrize("kind", KINDS)
def test_groups(probes, kind):
    """The groups differ: two or more dimensions in the first, the others in the second, each parameter once, none frozen."""
    found = probes.groups(kind, 0.25)
    check(found["decays"] == [0.25, 0.0], "the weight decays of the two groups are wrong")
    check(found["keys"] == [["params", "weight_decay"]] * 2, "a group should have the keys params and weight_decay")
    check(
        [sorted(names) for names in found["names"]] == WANTED[kind],
        "a parameter is in the wrong group, missing or doubled",
    )
    check(found["same"], "the model has been changed")


@points(1)
def test_order_of_the_groups(probes):
    """Within a group the order is that of model.parameters()."""
    found = probes.groups("scalars", 0.1)
    check(found["names"] == [["weight", "row"], ["bias", "scale"]], "the order within a group differs")


@points(1)
def test_it_learns(probes, given):
    """A text that repeats is learned in sixty steps."""
    # The start is always the same: from one in a hundred others, a right answer needs more steps.
    torch.manual_seed(0)
    state = {name: value.clone() for name, value in given.GPT(*SIZES).state_dict().items()}
    ids = torch.tensor([[1, 2, 3, 1, 2, 3, 1], [2, 3, 1, 2, 3, 0, 0]])
    plan = {"optimizer": "AdamW", "lr": 0.03, "weight_decay": 0.01, "options": {"padding": 0}}
    losses = probes.train(SIZES, state, [ids] * 60, plan)["losses"]
    check(all(type(loss) is float for loss in losses), "the loss should be a Python float")
    check(len(losses) == 60 and losses[-1] < 0.5 * losses[0], "the loss should fall to less than half")
