"""Copies and converts a merged layer next to your answer, and says what became of it."""

import copy

from torch import Tensor


def after_a_copy(solution, state: dict[str, Tensor], x: Tensor, how: str) -> dict:
    """Loads the state, merges, and copies the layer, or converts it to float64; then unmerges the copy."""
    layer = solution.LoRALinear(state["weight"], state["bias"], rank=len(state["lora_a"]), alpha=4.0)
    layer.load_state_dict(state)
    layer.merge()
    other = copy.deepcopy(layer) if how == "deepcopy" else layer.double()
    merged, output = other.merged, other(x.to(other.lora_a.dtype)).detach()
    other.unmerge()
    return {"merged": merged, "output": output, "weight": other.state_dict()["weight"]}
