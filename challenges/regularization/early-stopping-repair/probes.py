"""A model in miniature whose tensors are overwritten in place by each epoch, and a loss that was written down before."""

import torch
from torch import Tensor, nn


def network() -> nn.Module:
    """Parameters, floating buffers and an integer one."""
    return nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))


def overwrite(model: nn.Module, epoch: int) -> None:
    """Every tensor of the model becomes a function of the epoch, in place."""
    with torch.no_grad():
        for i, tensor in enumerate(model.state_dict().values()):
            tensor.copy_(torch.arange(tensor.numel()).reshape(tensor.shape) + 10 * i + 100 * epoch)


def state_of(model: nn.Module) -> dict[str, Tensor]:
    """The model's state, copied."""
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}


def run(solution, losses: list[float], max_epochs: int, patience: int, options: dict) -> dict:
    """One training run. `calls` notes for each call what mode the model was in and whether gradients were recorded."""
    model = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    pointers = [t.data_ptr() for t in model.state_dict().values()]
    parameters = [id(p) for p in model.parameters()]
    calls, epochs = [], []

    def train_epoch(model):
        calls.append(("train", model.training, torch.is_grad_enabled()))
        overwrite(model, len(epochs))
        epochs.append(len(epochs))

    def validate(model):
        calls.append(("validate", model.training, torch.is_grad_enabled()))
        return losses[len(epochs) - 1]

    answer = solution.fit(model, train_epoch, validate, max_epochs, patience, **options)
    state = state_of(model)
    same = parameters == [id(p) for p in model.parameters()]
    same = same and pointers == [t.data_ptr() for t in model.state_dict().values()]
    model[0].weight.grad = torch.ones_like(model[0].weight)
    optimizer.step()
    moved = torch.equal(model[0].weight.detach(), state["0.weight"] - 1)
    return {"answer": answer, "state": state, "epochs": len(epochs), "calls": calls, "same": same, "moved": moved}
