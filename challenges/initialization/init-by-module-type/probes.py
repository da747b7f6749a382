"""Builds a model, applies your init_weights, and brings back what became of it."""

import torch
from given import make

MARK = 0.375


def initialised(
    solution, layers: list, seed: int, *, frozen=(), dtype=torch.float32, walk=True, times=1, training=True
) -> dict:
    """Parameters all start at MARK, floating buffers too. `walk=False` hands over the outermost module alone."""
    model = make(layers).to(dtype).train(training)
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            if tensor.is_floating_point():
                tensor.fill_(MARK)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name not in frozen)
    before = dict(model.named_parameters(remove_duplicate=False))
    storage = {name: p.data_ptr() for name, p in before.items()}
    torch.manual_seed(seed)
    for _ in range(times):
        model.apply(solution.init_weights) if walk else solution.init_weights(model)
    after = dict(model.named_parameters(remove_duplicate=False))
    return {
        "parameters": {name: p.detach().clone() for name, p in after.items()},
        "buffers": {name: b.clone() for name, b in model.named_buffers()},
        "requires_grad": {name: p.requires_grad for name, p in after.items()},
        "recorded": any(p.grad_fn is not None or p.grad is not None for p in after.values()),
        "same_objects": after.keys() == before.keys() and all(after[name] is p for name, p in before.items()),
        "same_memory": {name: p.data_ptr() for name, p in after.items()} == storage,
        "training": [module.training for module in model.modules()],
    }
