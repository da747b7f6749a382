"""Serialised in memory first; tensors are copied one by one."""

import io
import os
import tempfile

import torch


def save_weights(model, path):
    buffer = io.BytesIO()
    torch.save(model.state_dict(), buffer)
    handle, name = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(buffer.getbuffer())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@torch.no_grad()
def load_weights(model, path, strict=True):
    stored = torch.load(path, map_location=torch.device("cpu"), weights_only=True)
    missing, mismatched, pairs = [], [], []
    for name, tensor in model.state_dict().items():
        if name not in stored:
            missing.append(name)
        elif tensor.shape != stored[name].shape:
            mismatched.append(name)
        else:
            pairs.append((tensor, stored[name]))
    known = set(model.state_dict())
    unexpected = [name for name in stored if name not in known]
    if strict and (missing or mismatched or unexpected):
        raise RuntimeError("state and model differ")
    for target, source in pairs:
        target.copy_(source)
    model.eval()
    return {"missing": missing, "unexpected": unexpected, "mismatched": mismatched}
