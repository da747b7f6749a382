"""Remembers each module's mode, and gives it back in a finally."""

import torch


def export_onnx(model, example, path):
    modes = [(module, module.training) for module in model.modules()]
    batch = torch.export.Dim("batch")
    model.eval()
    try:
        torch.onnx.export(
            model,
            tuple(example),
            path,
            input_names=[f"input_{i}" for i in range(len(example))],
            output_names=["output"],
            dynamic_shapes=tuple({0: batch} for _ in example),
        )
    finally:
        for module, training in modes:
            module.training = training
