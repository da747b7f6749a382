"""A context manager for the mode; dynamic shapes by the names of forward's arguments."""

import inspect
from contextlib import contextmanager

import torch


@contextmanager
def evaluating(model):
    training = {name for name, module in model.named_modules() if module.training}
    try:
        yield model.train(False)
    finally:
        for name, module in model.named_modules():
            module.training = name in training


def export_onnx(model, example, path):
    names = list(inspect.signature(model.forward).parameters)[: len(example)]
    free = torch.export.Dim("N")
    shapes = {name: (free, *[None] * (x.dim() - 1)) for name, x in zip(names, example)}
    with evaluating(model) as served, torch.no_grad():
        torch.onnx.export(
            model=served,
            args=(*example,),
            f=path,
            input_names=list(map("input_{}".format, range(len(example)))),
            output_names=["output"],
            dynamic_shapes=shapes,
        )
