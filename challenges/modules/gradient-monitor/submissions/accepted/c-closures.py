"""A factory of closures, a list that is emptied, and a difference that is zero."""

import torch


def hook_for(name, records):
    def hook(_module, grad_input, grad_output):
        (into,), (out,) = grad_input, grad_output
        size = into if into is None else float(torch.linalg.vector_norm(into))
        records.append((name, size, float(torch.linalg.vector_norm(out))))

    return hook


class GradientMonitor:
    def __init__(self, model, names):
        self.records, self.hooks = [], []
        for name in names:
            module = model.get_submodule(name)
            self.hooks.append(module.register_full_backward_hook(hook_for(name, self.records)))

    def remove(self):
        for handle in self.hooks:
            handle.remove()
        self.hooks = []


def scale_grad(t, factor):
    constant = t.detach()
    return constant + factor * (t - constant)
