"""Programs that build live objects, hand them to your `fit`, and bring plain data back."""

import torch
from given import Batches, GraphCounter, Network, make_optimizer, make_scheduler
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

LOSSES = {"mse": nn.MSELoss(), "cross-entropy": nn.CrossEntropyLoss(), "l1": nn.L1Loss()}


class Callback:
    """Notes what it is told, does what the plan says, and answers with the plan's values, one per epoch."""

    def __init__(self, plan: dict, model: nn.Module, optimizer: torch.optim.Optimizer):
        self.plan, self.model, self.optimizer = plan, model, optimizer
        self.calls: list[tuple[int, float]] = []
        self.rates: list[float] = []

    def __call__(self, epoch: int, mean_loss: float) -> object:
        self.calls.append((epoch, mean_loss))
        self.rates.append(self.optimizer.param_groups[0]["lr"])
        if self.plan.get("leaves_eval_mode"):
            # "norm" leaves one layer behind, and the flag of the model itself as it was
            (self.model.norm if self.plan["leaves_eval_mode"] == "norm" else self.model).eval()
        for group in self.optimizer.param_groups:
            group["lr"] *= self.plan.get("rate_factor", 1.0)
        answers = self.plan.get("answers", [])
        return answers[len(self.calls) - 1] if len(self.calls) <= len(answers) else None


def network_of(plan: dict, weights: dict[str, Tensor]) -> Network:
    """The plan's network with the given weights, in their dtype."""
    model = Network(*plan["sizes"], **plan.get("network", {}))
    model.to(weights["first.weight"].dtype).load_state_dict(weights)
    model.train(not plan.get("starts_in_eval_mode", False))
    if plan.get("stale_gradients"):
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, plan["stale_gradients"])
    return model


def batches_of(plan: dict, x: Tensor, y: Tensor):
    """The plan's batches: a list, an object without length that reshuffles, a DataLoader, or a one-shot generator."""
    size, seed = plan["batch"], plan.get("shuffle_seed")
    match plan.get("form", "list"):
        case "list":
            return list(Batches(x, y, size))
        case "object":
            return Batches(x, y, size, shuffle_seed=seed)
        case "loader" | "loader-without-the-last" as form:
            generator = torch.Generator().manual_seed(seed)
            drop_last = form != "loader"
            return DataLoader(TensorDataset(x, y), size, shuffle=True, generator=generator, drop_last=drop_last)
        case "generator":
            return (batch for batch in list(Batches(x, y, size)))


def train(solution, plan: dict, weights: dict[str, Tensor], x: Tensor, y: Tensor) -> dict:
    """One call of `fit` by the plan. Returns losses, weights and what the callback saw, or the error it ended with."""
    model = network_of(plan, weights)
    parameters = model.parameters()
    if plan.get("group_for_each_layer"):
        parameters = [{"params": list(layer.parameters())} for layer in (model.first, model.last)]
    optimizer = make_optimizer(plan["optimizer"], parameters, plan["optimizer_options"])
    scheduler = make_scheduler(plan.get("scheduler"), optimizer, plan.get("scheduler_options", {}))
    callback = Callback(plan.get("callback", {}), model, optimizer)
    batches = batches_of(plan, x, y)
    options = {"max_grad_norm": plan["max_grad_norm"]} if "max_grad_norm" in plan else {}
    options |= {"scheduler": scheduler} if scheduler is not None else {}
    options |= {"on_epoch": callback} if "callback" in plan else {}
    if "seed" in plan:
        torch.manual_seed(plan["seed"])
    try:
        losses = solution.fit(model, batches, LOSSES[plan.get("loss", "mse")], optimizer, plan["epochs"], **options)
    except ValueError:
        return {"error": "ValueError", "calls": callback.calls, "rates": callback.rates}
    return {
        "error": None,
        "losses": losses,
        "weights": {name: t.detach().clone() for name, t in model.state_dict().items()},
        "calls": callback.calls,
        "rates": callback.rates,
        "final_rate": optimizer.param_groups[0]["lr"],
    }


def graphs_alive(solution, plan: dict, weights: dict[str, Tensor], x: Tensor, y: Tensor) -> int:
    """The largest number of earlier batches whose graph was still alive when a loss was computed."""
    model = network_of(plan, weights)
    counter = GraphCounter(LOSSES["mse"])
    optimizer = make_optimizer(plan["optimizer"], model.parameters(), plan["optimizer_options"])
    solution.fit(model, batches_of(plan, x, y), counter, optimizer, plan["epochs"])
    return max(counter.counts, default=-1)


class Seen(Exception):
    """Ends a run on the meta device, where tensors have a place but no values."""


def places(solution, x: Tensor, y: Tensor) -> dict[str, str]:
    """Where prediction inputs and targets are when the model lives on the meta device and the batches on the CPU."""
    model = nn.Linear(x.shape[1], y.shape[1], device="meta", dtype=x.dtype)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen: dict[str, str] = {}

    def note_input(module, inputs):
        seen["x"] = inputs[0].device.type

    def note_target(prediction, target):
        seen["y"] = target.device.type
        raise Seen

    model.register_forward_pre_hook(note_input)
    try:
        solution.fit(model, [(x, y)], note_target, optimizer, 1)
    except (Seen, RuntimeError, NotImplementedError):
        pass
    seen["model"] = model.weight.device.type
    return seen
