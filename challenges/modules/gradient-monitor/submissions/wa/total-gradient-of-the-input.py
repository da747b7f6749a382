# caught by: test_past_a_skip[float32]
"""Hooks the input tensor itself, so the norm includes what comes back past the module."""

import torch


class GradientMonitor:
    def __init__(self, model, names):
        self.records, self.handles, self.calls, self.found = [], [], 0, {}
        for name, module in model.named_modules():
            if name in names:
                self.handles.append(module.register_forward_hook(self.hook_for(name)))

    def hook_for(self, name):
        def hook(module, args, out):
            (x,) = args
            key, self.calls = self.calls, self.calls + 1
            if out.requires_grad:
                out.register_hook(lambda grad: self.note(key, name, 2, grad))
                if x.requires_grad:
                    x.register_hook(lambda grad: self.note(key, name, 1, grad))

        return hook

    def note(self, key, name, place, grad):
        if not self.found:
            torch.autograd.Variable._execution_engine.queue_callback(self.finish)
        self.found.setdefault(key, [name, None, None])[place] = grad.norm().item()

    def finish(self):
        self.records += [tuple(self.found[key]) for key in sorted(self.found, reverse=True)]
        self.found = {}

    def remove(self):
        for handle in self.handles:
            handle.remove()


def scale_grad(t, factor):
    out = t.clone()
    if out.requires_grad:
        out.register_hook(lambda grad: grad * factor)
    return out
