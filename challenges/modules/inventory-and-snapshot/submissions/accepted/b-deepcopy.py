"""A walk over all modules and their own dicts; a deep copy of the state."""

import copy

import torch


def inventory(model):
    names, parameters, buffers = [], {}, {}
    for _, module in model.named_modules(remove_duplicate=False):
        for p in module._parameters.values():
            if p is not None:
                names.append(p.numel())
                parameters[id(p)] = p
        for b in module._buffers.values():
            if b is not None:
                buffers[id(b)] = b
    counts = {"trainable": 0, "frozen": 0}
    for p in parameters.values():
        counts["trainable" if p.requires_grad else "frozen"] += p.numel()
    counts["total"] = counts["trainable"] + counts["frozen"]
    counts["shared"] = sum(names) - counts["total"]
    counts["buffers"] = sum(b.numel() for b in buffers.values())
    return counts


class BestModel:
    def __init__(self, model):
        self.model, self.best_score, self.state = model, None, None

    def update(self, score):
        if score != score or (self.state is not None and not score > self.best_score):
            return False
        self.best_score, self.state = score, copy.deepcopy(self.model.state_dict())
        return True

    @torch.no_grad()
    def restore(self):
        if self.state is None:
            raise RuntimeError("nothing stored")
        for name, tensor in self.model.state_dict().items():
            tensor.copy_(self.state[name])
