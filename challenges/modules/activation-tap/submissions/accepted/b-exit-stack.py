"""Handles are context managers themselves; a stack holds them. One closure for each module."""

from contextlib import ExitStack

import torch
from torch.utils._pytree import tree_map_only


class ActivationTap:
    def __init__(self, model, names=(), types=(), replace=None):
        self.model, self.names, self.types, self.replace = model, set(names), tuple(types), dict(replace or {})
        self.records = []

    def __enter__(self):
        first, every = {}, {}
        for name, module in self.model.named_modules(remove_duplicate=False):
            first.setdefault(module, name)
            every[name] = module
        unknown = (self.names | set(self.replace)) - set(every)
        if unknown:
            raise KeyError(sorted(unknown)[0])
        self.records = []
        wanted = {every[name] for name in self.names}
        changes = {every[name]: f for name, f in self.replace.items()}
        with ExitStack() as stack:
            for module, name in first.items():
                if module in wanted or isinstance(module, self.types):
                    stack.enter_context(module.register_forward_hook(self.recording(name, self.records)))
                if module in changes:
                    stack.enter_context(module.register_forward_hook(self.changing(changes[module])))
            self.stack = stack.pop_all()
        return self

    @staticmethod
    def recording(name, records):
        def hook(module, args, output):
            records.append((name, tree_map_only(torch.Tensor, lambda t: t.detach().clone(), output)))

        return hook

    @staticmethod
    def changing(f):
        return lambda module, args, output: f(output)

    def __exit__(self, *error):
        self.stack.close()
        return False
