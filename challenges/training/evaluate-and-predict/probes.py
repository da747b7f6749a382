"""Models that are watched while your functions use them."""

import torch
from given import Classifier, Doubled
from torch import Tensor, nn
from torch.nn import functional


def made(state: dict[str, Tensor], modes: dict) -> Classifier:
    """A classifier with this state, gradients, and modes: the root's first, then those of single children."""
    hidden, inputs = state["first.weight"].shape
    model = Classifier(inputs, hidden, len(state["last.bias"])).to(state["first.weight"].dtype)
    model.load_state_dict(state)
    model.train(modes.get("", True))
    for name, training in modes.items():
        if name:
            getattr(model, name).train(training)
    for p in model.parameters():
        p.grad = torch.full_like(p, 3.0)
    return model


def trace(model: Classifier, before: list[bool]) -> dict:
    """What a call has left behind."""
    return {
        "calls": model.calls,
        "modes": [m.training for m in model.modules()] == before,
        "recording": torch.is_grad_enabled(),
        "state": {name: tensor.clone() for name, tensor in model.state_dict().items()},
        "gradients": [None if p.grad is None else p.grad.clone() for p in model.parameters()],
        "trainable": all(p.requires_grad for p in model.parameters()),
    }


def flags(model: nn.Module) -> list[bool]:
    return [m.training for m in model.modules()]


def evaluated(solution, state: dict, modes: dict, batches: list, fault: str = "") -> dict:
    """One call of evaluate with a generator of batches. `fault` says what raises, if anything."""
    model = made(state, modes)
    before, losses = flags(model), []
    if fault == "model":
        model.fails_at = 2

    def loss_fn(logits, y):
        losses.append(logits.requires_grad)
        if fault == "loss" and len(losses) == 2:
            raise ArithmeticError("this loss cannot be computed")
        return functional.cross_entropy(logits, y)

    def loader():
        for k, batch in enumerate(batches):
            if fault == "loader" and k == 1:
                raise ArithmeticError("this batch cannot be read")
            yield tuple(batch)

    result, error = None, ""
    try:
        result = solution.evaluate(model, loader(), loss_fn, "cpu")
    except Exception as caught:
        error = type(caught).__name__
    return {"result": result, "error": error, "losses": losses, **trace(model, before)}


def predicted(solution, state: dict, modes: dict, x: Tensor, options: dict, fails_at: int | None = None) -> dict:
    """One call of predict."""
    model = made(state, modes)
    before, y, error = flags(model), None, ""
    model.fails_at = fails_at
    try:
        y = solution.predict(model, x, **options)
    except Exception as caught:
        error = type(caught).__name__
    ordinary = isinstance(y, Tensor) and not y.is_inference() and not y.requires_grad
    y = y.detach().clone() if isinstance(y, Tensor) else y
    return {"y": y, "x": x, "error": error, "ordinary": ordinary, **trace(model, before)}


def without_parameters(solution, x: Tensor) -> Tensor:
    """predict with a module that has no parameters."""
    return solution.predict(Doubled(), x, batch_size=2)


def recording_off(solution, state: dict, batches: list, x: Tensor) -> bool:
    """Whether recording is still off after both functions were called under no_grad."""
    model = made(state, {})
    with torch.no_grad():
        solution.evaluate(model, batches, functional.cross_entropy, "cpu")
        solution.predict(model, x)
        return not torch.is_grad_enabled()


class _Seen(Exception):
    """Ends a call once the device has been noted."""


def devices(solution, x: Tensor, y: Tensor) -> dict:
    """On which device model and loss see their inputs, when the model is on the meta device and the data are not."""
    model, seen = nn.Linear(x.shape[1], 3, device="meta"), {}

    def note_input(module, inputs):
        seen["x"] = inputs[0].device.type

    def note_target(logits, target):
        seen["y"] = target.device.type
        raise _Seen

    model.register_forward_pre_hook(note_input)
    for name, call in (
        ("evaluate", lambda: solution.evaluate(model, [(x, y)], note_target, torch.device("meta"))),
        ("predict", lambda: solution.predict(model, x)),
    ):
        seen.pop("x", None)
        try:
            call()
        except (_Seen, RuntimeError, NotImplementedError):
            pass
        seen[name] = seen.get("x")
    return seen
