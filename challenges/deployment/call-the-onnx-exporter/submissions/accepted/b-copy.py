"""Exports a copy: the caller's model is never touched. The program saves itself."""

import copy

import torch


def export_onnx(model, example, path):
    frozen = copy.deepcopy(model).eval().requires_grad_(False)
    options = {
        "input_names": ["input_" + str(i) for i, _ in enumerate(example)],
        "output_names": ["output"],
        "dynamic_shapes": [{0: "batch"}] * len(example),
        "opset_version": 18,
        "dynamo": True,
    }
    program = torch.onnx.export(frozen, example, **options)
    if program is not None:
        program.save(path)
