"""Trains a model of one of your layers on random tokens, and brings its weights back: they are judged elsewhere."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def learn_to_copy(solution, plan: dict, embeddings: Tensor) -> dict:
    """Layer and read-out after `steps` steps of Adam on this task: at each position, name the token before it."""
    count, d_model = embeddings.shape
    generator = torch.Generator().manual_seed(plan["seed"])
    torch.manual_seed(plan["seed"])  # the first weights
    layer = solution.EncoderLayer(d_model, plan["heads"], 2 * d_model, norm_first=plan["norm_first"])
    read_out = nn.Linear(d_model, count)
    positions = solution.sinusoidal_positions(plan["length"], d_model)
    optimizer = torch.optim.Adam([*layer.parameters(), *read_out.parameters()], lr=plan["rate"])
    for _ in range(plan["steps"]):
        tokens = torch.randint(0, count, (plan["batch"], plan["length"]), generator=generator)
        logits = read_out(layer(embeddings[tokens] + positions))  # (B, T, tokens)
        loss = F.cross_entropy(logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {
        "layer": {name: t.detach().clone() for name, t in layer.state_dict().items()},
        "read_out": {name: t.detach().clone() for name, t in read_out.state_dict().items()},
    }
