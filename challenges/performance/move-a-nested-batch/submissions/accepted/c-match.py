"""A class with one method, which decides by structural pattern matching."""

import copy
import dataclasses
from collections import OrderedDict, defaultdict

import torch


class Mover:
    def __init__(self, **options):
        self.options = options
        self.known = {}

    def __call__(self, item):
        match item:
            case torch.nn.Module():
                item.to(**self.options)
                return item
            case torch.Tensor():
                return self.known.setdefault(id(item), item) if id(item) in self.known else self.keep(item)
            case defaultdict() | OrderedDict() | dict():
                return self.filled(item, item.items(), lambda made, key, value: made.__setitem__(key, value))
            case list():
                return self.filled(item, enumerate(item), lambda made, key, value: made.__setitem__(key, value))
            case tuple():
                new = tuple(map(self, item))
                if all(map(lambda a, b: a is b, new, item)):
                    return item
                return type(item)(*new) if hasattr(type(item), "_fields") else new
            case type():
                return item
        if hasattr(type(item), "__dataclass_fields__"):
            named = [(field.name, getattr(item, field.name)) for field in dataclasses.fields(item)]
            return self.filled(item, named, object.__setattr__)
        return item

    def keep(self, tensor):
        self.known[id(tensor)] = tensor.to(**self.options)
        return self.known[id(tensor)]

    def filled(self, item, named, put):
        made = item
        for key, value in list(named):
            new = self(value)
            if new is not value:
                made = copy.copy(item) if made is item else made
                put(made, key, new)
        return made


def to_device(obj, device, non_blocking=False):
    return Mover(device=device, non_blocking=non_blocking)(obj)
