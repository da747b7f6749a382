"""Takes the place of torch.onnx.export, and writes down how it is called."""

import inspect

import torch
from torch import nn

STALE = ("dynamic_axes", "training", "do_constant_folding", "operator_export_type")


class Refused(Exception):
    """The exporter's error."""


class Block(nn.Module):
    """A linear layer, a norm and dropout, three levels deep."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.Sequential(nn.BatchNorm1d(4), nn.Dropout(0.5)))

    def forward(self, x):
        return self.body(x)


class Pair(nn.Module):
    """Two inputs."""

    def __init__(self):
        super().__init__()
        self.left, self.right = Block(), Block()

    def forward(self, first, second):
        return self.left(first) + self.right(second)


class Triple(nn.Module):
    """Three inputs of different dtypes and numbers of dimensions."""

    def __init__(self):
        super().__init__()
        self.block, self.table = Block(), nn.Embedding(10, 4)

    def forward(self, x, tokens, mask):
        return self.block(x) + self.table(tokens).mean(1) * mask[:, None]


MODELS = {"one": Block, "two": Pair, "three": Triple}


class Program:
    """What the exporter returns."""

    def __init__(self, files):
        self.files = files

    def save(self, destination, **options):
        self.files.append(str(destination))


def free_dimensions(shapes, model, example) -> tuple[list, list]:
    """The freed dimensions of each input, and the names they were given; "" for a hint such as Dim.AUTO, which has none."""
    if isinstance(shapes, dict):
        names = list(inspect.signature(model.forward).parameters)
        shapes = [shapes.get(name) for name in names[: len(example)]]
    dims, names = [], []
    for spec in shapes or [None] * len(example):
        entries = spec.items() if isinstance(spec, dict) else enumerate(spec or ())
        freed = [
            (d, v) for d, v in entries if v is not None and not isinstance(v, int) and v != torch.export.Dim.STATIC
        ]
        dims.append(sorted(d for d, _ in freed))
        names += [v if isinstance(v, str) else getattr(v, "__name__", "") for _, v in freed]
    return dims, sorted(set(names))


def exported(
    solution, kind: str, example: list, path: str, training: bool, other: list, frozen: list, fails: bool
) -> dict:
    """How export_onnx calls the exporter, and what it leaves. `other` are modules in the other mode, `frozen` parameters."""
    model = MODELS[kind]().train(training)
    for name, module in model.named_modules():
        if name in other:
            module.training = not training
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name not in frozen)
    modes = {name: module.training for name, module in model.named_modules()}
    state = {name: value.clone() for name, value in model.state_dict().items()}
    calls, files = [], []

    def export(
        model,
        args=(),
        f=None,
        *,
        kwargs=None,
        input_names=None,
        output_names=None,
        opset_version=None,
        dynamo=True,
        dynamic_shapes=None,
        export_params=True,
        **options,
    ):
        dims, names = free_dimensions(dynamic_shapes, model, example)
        held = dict(model.state_dict())
        calls.append(
            {
                "training": [name for name, module in model.named_modules() if module.training],
                "state": held.keys() == state.keys() and all(torch.equal(held[name], state[name]) for name in state),
                "tuple": type(args) is tuple and not kwargs,
                "args": [value.clone() for value in args] if isinstance(args, tuple | list) else [],
                "dims": dims,
                "names": names,
                "inputs": list(input_names or []),
                "outputs": list(output_names or []),
                "opset": opset_version,
                "dynamo": bool(dynamo),
                "weights": bool(export_params),
                "stale": [name for name in STALE if options.get(name) is not None],
            }
        )
        if fails:
            raise Refused
        if f is not None:
            files.append(str(f))
        return Program(files)

    real, torch.onnx.export = torch.onnx.export, export
    passed = False
    try:
        solution.export_onnx(model, tuple(example), path)
    except Refused:
        passed = True
    finally:
        torch.onnx.export = real
    after = dict(model.state_dict())
    return {
        "calls": calls,
        "files": files,
        "passed": passed,
        "modes": {name: module.training for name, module in model.named_modules()} == modes,
        "frozen": sorted(name for name, p in model.named_parameters() if not p.requires_grad),
        "state": all(torch.equal(after[name], value) for name, value in state.items()),
    }
