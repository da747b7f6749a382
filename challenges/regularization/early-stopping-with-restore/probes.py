"""Training runs in miniature: a model whose tensors are overwritten in place in each epoch, and a stopper that is asked."""

import torch
from torch import Tensor, nn


def network() -> nn.Module:
    """Parameters of two shapes, floating buffers and an integer one."""
    return nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)).double()


def train_in_place(model: nn.Module, epoch: int) -> None:
    """Every tensor of the model becomes a function of the epoch, in place."""
    with torch.no_grad():
        for i, tensor in enumerate(model.state_dict().values()):
            tensor.copy_(torch.arange(tensor.numel()).reshape(tensor.shape) + 10 * i + 100 * epoch)


def state_of(model: nn.Module) -> dict[str, Tensor]:
    """The model's state, copied."""
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def outcome(f, *args) -> str:
    """The name of what f raises, "" for nothing."""
    try:
        f(*args)
    except Exception as error:
        return type(error).__name__
    return ""


def replay(solution, metrics: list[float], settings: dict, tensors: bool = False) -> dict:
    """All metrics in a row, whatever step answers; then restore. `best` is read after every step."""
    model, stopper = network(), solution.EarlyStopping(**settings)
    answers, best = [], [stopper.best]
    for epoch, metric in enumerate(metrics):
        train_in_place(model, epoch)
        answers.append(stopper.step(torch.tensor(metric, dtype=torch.float64) if tensors else metric, model))
        best.append(stopper.best)
    last = state_of(model)
    stopper.restore(model)
    return {"answers": answers, "best": best, "last": last, "restored": state_of(model)}


def restore_repeatedly(solution) -> dict:
    """Restore, train on in place, restore again; then a better epoch, and restore once more."""
    model, stopper = network(), solution.EarlyStopping(5)
    train_in_place(model, 1)
    stopper.step(0.5, model)
    train_in_place(model, 2)
    stopper.step(0.7, model)
    stopper.restore(model)
    first = state_of(model)
    train_in_place(model, 3)
    stopper.restore(model)
    second = state_of(model)
    train_in_place(model, 4)
    stopper.step(0.1, model)
    train_in_place(model, 5)
    stopper.restore(model)
    return {"first": first, "second": second, "third": state_of(model)}


def with_an_optimizer(solution) -> dict:
    """Whether tensors, mode and requires_grad stay, and whether an optimizer made before still moves the model."""
    model = network()
    model[0].bias.requires_grad_(False)
    model[1].eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    stopper = solution.EarlyStopping(5)
    train_in_place(model, 1)
    before = state_of(model)
    pointers = [t.data_ptr() for t in model.state_dict(keep_vars=True).values()]
    parameters = [id(p) for p in model.parameters()]
    model[0].weight.grad = torch.ones_like(model[0].weight)
    stopper.step(1.0, model)
    grad_kept = model[0].weight.grad is not None and bool((model[0].weight.grad == 1).all())
    untouched = all(torch.equal(t, before[name]) for name, t in model.state_dict().items())
    train_in_place(model, 2)
    stopper.restore(model)
    same = parameters == [id(p) for p in model.parameters()]
    same = same and pointers == [t.data_ptr() for t in model.state_dict(keep_vars=True).values()]
    flags = [p.requires_grad for p in model.parameters()], [m.training for m in model.modules()]
    model[0].weight.grad = torch.ones_like(model[0].weight)
    optimizer.step()
    return {
        "untouched": untouched,
        "grad_kept": grad_kept,
        "same": same,
        "flags": flags,
        "moved": model[0].weight.detach().clone(),
    }


def metric_in_one_tensor(solution, metrics: list[float]) -> dict:
    """The metric lives in one tensor that its owner writes to; another one requires grad."""
    model, stopper, metric = network(), solution.EarlyStopping(1), torch.zeros(())
    answers = []
    for epoch, value in enumerate(metrics):
        train_in_place(model, epoch)
        metric.fill_(value)
        answers.append(stopper.step(metric, model))
        metric.fill_(-1.0)
    stopper.restore(model)
    best = stopper.best
    other = solution.EarlyStopping(0)
    weight = torch.tensor(2.0, requires_grad=True)
    answers.append(other.step(weight * 2, model))
    return {"answers": answers, "best": best, "other": other.best, "restored": state_of(model)}


def two_stoppers(solution) -> dict:
    """Two stoppers beside each other, each with its own memory."""
    model = network()
    low, high = solution.EarlyStopping(0), solution.EarlyStopping(0, mode="max")
    answers = []
    for epoch, metric in enumerate([0.5, 0.3, 0.8]):
        train_in_place(model, epoch)
        answers.append((low.step(metric, model), high.step(metric, model)))
    low.restore(model)
    first = state_of(model)
    high.restore(model)
    return {"answers": answers, "low": first, "high": state_of(model)}


def into_another(solution) -> dict:
    """step sees one model, restore gets another one of the same kind."""
    seen, given, stopper = network(), network(), solution.EarlyStopping(2)
    train_in_place(seen, 1)
    stopper.step(0.5, seen)
    train_in_place(seen, 2)
    train_in_place(given, 3)
    stopper.restore(given)
    return {"given": state_of(given), "other": state_of(seen)}


def of_any_dtype(solution, state: dict[str, Tensor]) -> dict[str, Tensor]:
    """A module with these tensors, floating ones as parameters, is overwritten after step and restored."""
    module, stopper = nn.Module(), solution.EarlyStopping(2)
    for name, tensor in state.items():
        if tensor.is_floating_point():
            module.register_parameter(name, nn.Parameter(tensor.clone()))
        else:
            module.register_buffer(name, tensor.clone())
    stopper.step(0.5, module)
    for tensor in module.state_dict().values():
        tensor.zero_()
    stopper.restore(module)
    return state_of(module)


def restored_on_the_way(solution, metrics: list[float], patience: int) -> dict:
    """restore after every step."""
    model, stopper = network(), solution.EarlyStopping(patience)
    answers, best = [], []
    for epoch, metric in enumerate(metrics):
        train_in_place(model, epoch)
        answers.append(stopper.step(metric, model))
        stopper.restore(model)
        best.append(stopper.best)
    return {"answers": answers, "best": best}


def restore_first(solution) -> dict:
    """restore before any step."""
    model = network()
    train_in_place(model, 7)
    raised = outcome(solution.EarlyStopping(2).restore, model)
    return {"raised": raised, "state": state_of(model)}


def refusal(solution, settings: dict) -> str:
    """What the constructor raises."""
    return outcome(lambda: solution.EarlyStopping(**settings))
