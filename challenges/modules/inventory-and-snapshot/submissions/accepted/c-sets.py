"""Sets of objects; a snapshot of parameters and persistent buffers, entry by entry."""

import torch


def elements(tensors):
    return sum(t.numel() for t in tensors)


def inventory(model):
    listed = [p for _, p in model.named_parameters(remove_duplicate=False)]
    distinct = set(listed)
    return dict(
        total=elements(distinct),
        trainable=elements(p for p in distinct if p.requires_grad),
        frozen=elements(p for p in distinct if not p.requires_grad),
        buffers=elements({id(b): b for _, b in model.named_buffers(remove_duplicate=False)}.values()),
        shared=elements(listed) - elements(distinct),
    )


class BestModel:
    def __init__(self, model):
        self.model = model
        self.state = None
        self.best_score = None

    def update(self, score):
        better = score == score if self.best_score is None else score > self.best_score
        if better:
            self.best_score = score
            self.state = {}
            for name, tensor in self.model.state_dict(keep_vars=True).items():
                self.state[name] = torch.empty_like(tensor, requires_grad=False).copy_(tensor.detach())
        return better

    def restore(self):
        if not self.state:
            raise RuntimeError("call update first")
        missing = self.model.load_state_dict(dict(self.state))
        assert not missing.missing_keys
