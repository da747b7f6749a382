"""Lets your function write with a live model, and notes how the model was called."""

import torch
from given import GPT
from torch import nn


class Watched(GPT):
    """A GPT with dropout on its scores in training mode; notes the shape, the mode and the graph of each call."""

    def __init__(self, *sizes) -> None:
        super().__init__(*sizes)
        self.drop = nn.Dropout(0.5)
        self.calls: list = []

    def forward(self, ids):
        scores = self.drop(super().forward(ids))
        self.calls.append((tuple(ids.shape), self.training, scores.requires_grad))
        return scores


def write(solution, sizes: tuple, state: dict, ids: torch.Tensor, steps: int, options: dict, plan: dict) -> dict:
    """The text, the calls of the model, its modes before and after, and whether the global generator has moved."""
    model = Watched(*sizes)
    model.load_state_dict(state)
    model.train(plan.get("training", True))
    if plan.get("mixed"):
        model.blocks.eval()
    before = [m.training for m in model.modules()]
    given = ids.clone()
    options = dict(options)
    if "seed" in plan:
        options["generator"] = torch.Generator().manual_seed(plan["seed"])
    torch.manual_seed(plan.get("global", 5))
    untouched = torch.get_rng_state()
    text = solution.generate(model, ids, steps, **options)
    return {
        "text": text.clone(),
        "needs_gradient": text.requires_grad,
        "calls": model.calls,
        "same_modes": before == [m.training for m in model.modules()],
        "same_ids": torch.equal(ids, given),
        "global_moved": not torch.equal(untouched, torch.get_rng_state()),
    }
