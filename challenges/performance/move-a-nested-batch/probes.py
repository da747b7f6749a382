"""Batches of many kinds, and what becomes of them when they are moved."""

import dataclasses
from collections import OrderedDict, defaultdict, namedtuple

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

Pair = namedtuple("Pair", "left right")


@dataclasses.dataclass
class Batch:
    """An ordinary dataclass."""

    x: Tensor
    name: str = "a batch"


@dataclasses.dataclass(frozen=True)
class Frozen:
    """Its fields cannot be assigned."""

    x: Tensor
    parts: list


@dataclasses.dataclass(slots=True)
class Slotted:
    """It has no __dict__."""

    x: Tensor
    y: Tensor


@dataclasses.dataclass
class Counted:
    """Counts how often it was initialised, and has a field that the constructor does not take."""

    x: Tensor
    mask: Tensor = dataclasses.field(init=False)
    made: list = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.mask = self.x > 0
        self.made = [1]


def build(kind: str, a: Tensor, b: Tensor):
    """A batch that holds the tensors a and b, which have different shapes."""
    if kind == "nested":
        return {"x": [a, (b, {"y": a + 1}), "text"], "z": Pair(b + 1, [None, 3])}
    makers = {
        "tensor": lambda: a,
        "list": lambda: [a, b, 5],
        "tuple": lambda: (b, "text", a),
        "named tuple": lambda: Pair(a, b),
        "dict": lambda: {"b": b, "a": a, 7: "seven"},
        "ordered dict": lambda: OrderedDict([("z", a), ("a", b)]),
        "default dict": lambda: defaultdict(list, {"z": a, "a": b}),
        "dataclass": lambda: Batch(a, "some name"),
        "frozen dataclass": lambda: Frozen(a, [b, 2]),
        "slotted dataclass": lambda: Slotted(b, a),
        "counted dataclass": lambda: Counted(a),
    }
    return makers[kind]()


def picture(item) -> object:
    """Types, devices, shapes, dtypes and plain values of a batch, as plain data."""
    if isinstance(item, Tensor):
        return ["tensor", item.device.type, str(item.dtype), list(item.shape)]
    if isinstance(item, dict):
        factory = getattr(item, "default_factory", None)
        return [type(item).__name__, factory is list, [[key, picture(value)] for key, value in item.items()]]
    if isinstance(item, list | tuple):
        return [type(item).__name__, [picture(value) for value in item]]
    if dataclasses.is_dataclass(item):
        named = [[field.name, picture(getattr(item, field.name, "missing"))] for field in dataclasses.fields(item)]
        return [type(item).__name__, named]
    return item


def moved(solution, kind: str, a: Tensor, b: Tensor, device) -> dict:
    """What comes out, and what is left of the batch that went in."""
    batch = build(kind, a, b)
    out = solution.to_device(batch, device)
    return {"out": picture(out), "left": picture(batch), "same": out is batch}


def half_moved(solution, a: Tensor, b: Tensor) -> dict:
    """Parts of this batch are on the meta device already, or hold no tensor at all."""
    there = b.to("meta")
    batch = {"there": [there, Pair(there, 1)], "here": a, "none": (1, ["text"]), "data": Batch(there)}
    out = solution.to_device(batch, torch.device("meta"))
    return {
        "out": picture(out),
        "same": {name: out[name] is batch[name] for name in batch},
        "inner": out["there"][0] is there,
        "whole": out is batch,
    }


def shared(solution, a: Tensor) -> list[bool]:
    """One tensor in four places, on several levels, and an equal tensor that is another object."""
    batch = {"x": a, "list": [a, {"y": a}], "data": Batch(a), "other": a.clone()}
    out = solution.to_device(batch, "meta")
    places = [out["list"][0], out["list"][1]["y"], out["data"].x]
    return [*(place is out["x"] for place in places), out["other"] is not out["x"]]


def leaves(solution, a: Tensor) -> list[bool]:
    """Objects that are no containers: the very same objects must be in the result."""
    things = ["text", None, 10**30, 2.5, {1, 2}, len, Batch, Pair, torch.float16, slice(1, 2), b"bytes", object()]
    out = solution.to_device([a, *things], "meta")
    alone = [solution.to_device(thing, "meta") is thing for thing in things]
    return [len(out) == 1 + len(things), *(x is y for x, y in zip(out[1:], things, strict=True)), *alone]


def initialised(solution, a: Tensor) -> dict:
    """A dataclass that counts its initialisations."""
    calls = []

    @dataclasses.dataclass
    class Loud:
        x: Tensor
        half: Tensor = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            calls.append(1)
            self.half = self.x[:1]

    batch = Loud(a)
    batch.half = a[:2]
    out = solution.to_device(batch, "meta")
    return {"calls": len(calls), "half": picture(out.half), "before": picture(batch.half), "type": type(out) is Loud}


def modules(solution, wrapped: bool) -> dict:
    """A module alone, or in a batch."""
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    batch = {"model": model, "list": [1]} if wrapped else model
    out = solution.to_device(batch, "meta")
    places = {tensor.device.type for tensor in model.state_dict().values()}
    return {"same": out is batch, "places": sorted(places), "training": model.training}


class _Copies(TorchDispatchMode):
    """Notes the flag of each copy between devices."""

    def __init__(self) -> None:
        super().__init__()
        self.flags: list[bool] = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        if "copy" in str(function) and isinstance(out, Tensor) and out.is_meta:
            flag = (kwargs or {}).get("non_blocking", args[2] if len(args) > 2 else False)
            self.flags.append(bool(flag))
        return out


def flags(solution, a: Tensor, b: Tensor, options: dict) -> list[bool]:
    """The value of non_blocking in every copy that was made, for three tensors and a module with two parameters."""
    with _Copies() as copies:
        solution.to_device({"x": a, "y": [b, a], "model": nn.Linear(2, 2), "z": Batch(b + 1)}, "meta", **options)
    return copies.flags
