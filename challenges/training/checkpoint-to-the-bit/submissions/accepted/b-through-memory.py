"""The file is made in memory first; the random state of Python travels as a tensor."""

import io
import pathlib
import random
import tempfile
from collections import OrderedDict

import torch


def save_checkpoint(path, epoch, best, model, optimizer, scheduler=None, scaler=None, generator=None):
    version, numbers, gauss = random.getstate()
    checkpoint = OrderedDict(
        weights=model.state_dict(),
        optimiser=optimizer.state_dict(),
        schedule=None if scheduler is None else scheduler.state_dict(),
        scaler=None if scaler is None else scaler.state_dict(),
        shuffling=None if generator is None else generator.get_state(),
        dropout=torch.random.get_rng_state(),
        python=(version, torch.tensor(numbers, dtype=torch.int64), gauss),
        best=best,
        next_epoch=epoch + 1,
    )
    buffer = io.BytesIO()
    torch.save(checkpoint, buffer)
    target = pathlib.Path(path)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(buffer.getvalue())
    pathlib.Path(file.name).replace(target)


def resume(path, model, optimizer, scheduler=None, scaler=None, generator=None):
    try:
        found = torch.load(path, weights_only=True)
    except FileNotFoundError:
        return (0, None)
    wanted = (("schedule", scheduler), ("scaler", scaler), ("shuffling", generator))
    for name, part in wanted:
        if part is not None and found[name] is None:
            raise ValueError(name)
    model.load_state_dict(found["weights"], strict=True)
    optimizer.load_state_dict(found["optimiser"])
    if scheduler is not None:
        scheduler.load_state_dict(found["schedule"])
    if scaler is not None:
        scaler.load_state_dict(found["scaler"])
    if generator is not None:
        generator.set_state(found["shuffling"])
    version, numbers, gauss = found["python"]
    random.setstate((version, tuple(numbers.tolist()), gauss))
    torch.random.set_rng_state(found["dropout"])
    return found["next_epoch"], found["best"]
