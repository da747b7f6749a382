# caught by: test_epoch_and_best
"""The best metric starts from nothing."""

import os
import random

import torch


def save_checkpoint(path, epoch, best, model, optimizer, scheduler=None, scaler=None, generator=None):
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "scaler": scaler}
    state = {name: part.state_dict() for name, part in parts.items() if part is not None}
    if generator is not None:
        state["generator"] = generator.get_state()
    state |= {"epoch": epoch, "best": best, "torch": torch.get_rng_state(), "python": random.getstate()}
    torch.save(state, f"{path}.new")
    os.replace(f"{path}.new", path)


def resume(path, model, optimizer, scheduler=None, scaler=None, generator=None):
    if not os.path.exists(path):
        return 0, None
    state = torch.load(path, map_location="cpu", weights_only=True)
    parts = {"model": model, "optimizer": optimizer, "scheduler": scheduler, "scaler": scaler, "generator": generator}
    parts = {name: part for name, part in parts.items() if part is not None}
    if not parts.keys() <= state.keys():
        raise ValueError(f"the checkpoint lacks {sorted(parts.keys() - state.keys())}")
    for name, part in parts.items():
        if name == "generator":
            part.set_state(state[name])
        else:
            part.load_state_dict(state[name])
    torch.set_rng_state(state["torch"])
    random.setstate(state["python"])
    return state["epoch"] + 1, None
