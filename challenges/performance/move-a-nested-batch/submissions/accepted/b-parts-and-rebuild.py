"""Two small functions: the parts of a container, and the container made again from new parts."""

import copy
from collections import defaultdict
from dataclasses import fields, is_dataclass

import torch


def parts(item):
    if isinstance(item, dict):
        return list(item.values())
    if isinstance(item, (list, tuple)):
        return list(item)
    if is_dataclass(item) and not isinstance(item, type):
        return [getattr(item, field.name) for field in fields(item)]
    return None


def rebuilt(item, new):
    if isinstance(item, defaultdict):
        return type(item)(item.default_factory, zip(item, new))
    if isinstance(item, dict):
        return type(item)(zip(item, new))
    if isinstance(item, tuple) and hasattr(item, "_make"):
        return item._make(new)
    if isinstance(item, (list, tuple)):
        return type(item)(new)
    other = copy.copy(item)
    for field, value in zip(fields(item), new):
        object.__setattr__(other, field.name, value)
    return other


def to_device(obj, device, non_blocking=False, done=None):
    done = {} if done is None else done
    if isinstance(obj, (torch.Tensor, torch.nn.Module)):
        if id(obj) not in done:
            done[id(obj)] = obj.to(device=device, non_blocking=non_blocking)
        return done[id(obj)]
    old = parts(obj)
    if old is None:
        return obj
    new = [to_device(part, device, non_blocking, done) for part in old]
    return rebuilt(obj, new) if any(a is not b for a, b in zip(old, new)) else obj
