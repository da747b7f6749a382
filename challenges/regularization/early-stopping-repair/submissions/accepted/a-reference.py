"""A strict comparison, a deep copy, and the best state put back at the one place that every run comes through."""

import copy
import math

import torch


def fit(model, train_epoch, validate, max_epochs, patience, min_delta=0.0):
    """Train in place until the loss has stopped falling; return {"losses", "best_epoch"}."""
    best_loss = float("inf")
    best_epoch = None
    best_state = None
    bad_epochs = 0
    losses = []

    for epoch in range(max_epochs):
        model.train()
        train_epoch(model)

        model.eval()
        with torch.no_grad():
            loss = validate(model)
        losses.append(loss)

        if math.isfinite(loss) and loss < best_loss - min_delta:
            best_loss = loss
            best_epoch = epoch
            best_state = copy.deepcopy(model.state_dict())
            bad_epochs = 0
        else:
            bad_epochs += 1
            if bad_epochs > patience:
                break

    if best_state is not None:
        model.load_state_dict(best_state)
    return {"losses": losses, "best_epoch": best_epoch}
