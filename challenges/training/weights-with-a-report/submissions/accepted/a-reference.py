"""Names and shapes are compared first; the model is written to only when the outcome is known."""

import os
from contextlib import suppress

import torch
from torch import nn


def save_weights(model: nn.Module, path: str) -> None:
    part = f"{path}.part"
    try:
        torch.save(model.state_dict(), part)
        os.replace(part, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.remove(part)
        raise


def load_weights(model: nn.Module, path: str, strict: bool = True) -> dict[str, list[str]]:
    stored = torch.load(path, map_location="cpu", weights_only=True)
    own = model.state_dict()
    report = {
        "missing": [name for name in own if name not in stored],
        "unexpected": [name for name in stored if name not in own],
        "mismatched": [name for name in own if name in stored and stored[name].shape != own[name].shape],
    }
    if strict and any(report.values()):
        raise RuntimeError(f"the weights do not fit: {report}")
    fitting = {name: stored[name] for name in own if name in stored and name not in report["mismatched"]}
    model.load_state_dict(fitting, strict=False)
    model.eval()
    return report
