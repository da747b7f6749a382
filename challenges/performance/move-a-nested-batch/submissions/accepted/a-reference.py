"""One walk with a dict of the tensors that were moved; containers are copied only if a child is new."""

import copy
import dataclasses

from torch import Tensor, nn


def to_device(obj, device, non_blocking=False):
    moved = {}

    def walk(item):
        if isinstance(item, nn.Module):
            return item.to(device, non_blocking=non_blocking)
        if isinstance(item, Tensor):
            if id(item) not in moved:
                moved[id(item)] = item.to(device, non_blocking=non_blocking)
            return moved[id(item)]
        if isinstance(item, dict):
            new = {key: walk(value) for key, value in item.items()}
            if all(new[key] is value for key, value in item.items()):
                return item
            made = copy.copy(item)
            made.update(new)
            return made
        if isinstance(item, list | tuple):
            new = [walk(value) for value in item]
            if all(one is other for one, other in zip(new, item, strict=True)):
                return item
            return type(item)._make(new) if hasattr(item, "_fields") else type(item)(new)
        if dataclasses.is_dataclass(item) and not isinstance(item, type):
            new = {field.name: walk(getattr(item, field.name)) for field in dataclasses.fields(item)}
            if all(value is getattr(item, name) for name, value in new.items()):
                return item
            made = copy.copy(item)
            for name, value in new.items():
                object.__setattr__(made, name, value)
            return made
        return item

    return walk(obj)
