"""The file's state is completed with the model's own tensors, and then fits by construction."""

import os
import pathlib

import torch


def save_weights(model, path):
    beside = pathlib.Path(path).with_name(f".{os.getpid()}.tmp")
    try:
        with open(beside, "wb") as file:
            torch.save(dict(model.state_dict()), file)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def load_weights(model, path, strict=True):
    stored = torch.load(path, map_location=lambda storage, _: storage, weights_only=True)
    own = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    missing = [name for name in own if name not in stored]
    unexpected = [name for name in stored if name not in own]
    both = [name for name in own if name in stored]
    mismatched = [name for name in both if tuple(own[name].shape) != tuple(stored[name].shape)]
    if strict and missing + unexpected + mismatched:
        raise RuntimeError(", ".join(missing + unexpected + mismatched))
    model.load_state_dict(own | {name: stored[name] for name in both if name not in mismatched})
    model.eval()
    return dict(missing=missing, unexpected=unexpected, mismatched=mismatched)
