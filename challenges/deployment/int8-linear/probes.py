"""Writes to the tensors that a layer was made from, and loads a state into the layer."""

import torch
from torch import Tensor


def written_to(solution, weight: Tensor, bias: Tensor, x: Tensor) -> dict:
    """The layer's output after weight and bias have been set to zero, and both after a state of ones was loaded."""
    layer = solution.Int8Linear(weight, bias)
    weight.zero_()
    bias.zero_()
    output = layer(x).detach()
    layer.load_state_dict({name: torch.ones_like(value) for name, value in layer.state_dict().items()})
    return {"output": output, "weight": weight, "bias": bias}
