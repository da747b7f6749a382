"""Clones instead of a deep copy; bad epochs are counted from the best one."""

import math

import torch


@torch.no_grad()
def measured(model, validate):
    model.eval()
    return validate(model)


def fit(model, train_epoch, validate, max_epochs, patience, min_delta=0.0):
    losses, best, kept = [], None, {}
    while len(losses) < max_epochs:
        epoch = len(losses)
        train_epoch(model.train())
        loss = measured(model, validate)
        losses.append(loss)
        if math.isfinite(loss) and (best is None or loss < losses[best] - min_delta):
            best = epoch
            kept = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        if epoch - (-1 if best is None else best) > patience:
            break
    for name, tensor in model.state_dict().items():
        if name in kept:
            tensor.copy_(kept[name])
    return {"losses": losses, "best_epoch": best}
