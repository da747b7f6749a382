"""Moves the modules to the meta device, which has shapes and no values."""

import torch


def on_meta(solution) -> dict:
    """Where the tensors of both modules are after a move, and the shapes that a forward pass gives there (None: it fails)."""
    found = {}
    for name, module in (("mlp", solution.MLP(3, [5, 2], 4)), ("affine", solution.Affine(3))):
        module = module.to("meta")
        try:
            out = module(torch.empty(7, 3, device="meta"))
            shape = tuple(out.shape) if out.is_meta else None
        except (RuntimeError, NotImplementedError):
            shape = None
        found[name] = {"devices": [p.device.type for p in module.parameters()], "shape": shape}
    return found


def masks_in_a_row(solution, seed: int) -> list[torch.Tensor]:
    """The outputs of three calls in training mode after torch.manual_seed(seed); the weights are made before."""
    torch.manual_seed(3)
    model = solution.MLP(3, [50], 2, 0.5).train()
    torch.manual_seed(seed)
    return [model(torch.ones(4, 3)).detach() for _ in range(3)]
