"""Folders, files and models for your functions, and what is left of them afterwards."""

import os
import tempfile
from unittest import mock

import torch
from given import BreaksHalfWay, Network
from torch import Tensor, nn


def network(state: dict[str, Tensor]) -> Network:
    """A network with this state; sizes and dtype follow from it."""
    hidden, inputs = state["first.weight"].shape
    model = Network(inputs, hidden, len(state["last.bias"])).to(state["first.weight"].dtype)
    model.load_state_dict(state)
    return model


def modes(model: nn.Module) -> list[bool]:
    return [module.training for module in model.modules()]


def copied(model: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def round_trip(solution, state: dict[str, Tensor], other: dict[str, Tensor], x: Tensor, strict: bool) -> dict:
    """Saves a model in train mode, and loads the file into another model that has an optimizer."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.pt")
        saved, loaded = network(state), network(other)
        before = list(loaded.parameters())
        returned = solution.save_weights(saved, path)
        report = solution.load_weights(loaded, path, strict=strict)
        same = all(a is b for a, b in zip(before, loaded.parameters(), strict=True))
        return {
            "returned": returned,
            "report": report,
            "same": same,
            "modes": modes(loaded),
            "saved_modes": modes(saved),
            "state": copied(loaded),
            "y": loaded(x).detach(),
        }


def content(solution, state: dict[str, Tensor]) -> dict:
    """What torch.load reads from the file, and the names of all files in the folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.pt")
        solution.save_weights(network(state), path)
        try:
            read = torch.load(path, weights_only=True)
        except Exception as caught:
            read = type(caught).__name__
        return {"files": os.listdir(folder), "read": dict(read) if isinstance(read, dict) else type(read).__name__}


def bare_name(solution, state: dict[str, Tensor]) -> list[str]:
    """Saves and loads in the current folder, with a path that is only a name. Gives the files that are there."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            solution.save_weights(network(state), "weights.pt")
            solution.load_weights(network(state), "weights.pt")
            return os.listdir(folder)
        finally:
            os.chdir(before)


def fails_half_way(solution, state: dict[str, Tensor] | None) -> dict:
    """A save that fails: over a good file if there is a state, else in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        path, error = os.path.join(folder, "weights.pt"), ""
        if state is not None:
            solution.save_weights(network(state), path)
        try:
            solution.save_weights(nn.Sequential(nn.Linear(50, 50), BreaksHalfWay(2, 2)), path)
        except Exception as caught:
            error = type(caught).__name__
        files = os.listdir(folder)
        try:
            read = dict(torch.load(path, weights_only=True)) if state is not None else None
        except Exception as caught:
            read = type(caught).__name__
        return {"error": error, "files": files, "read": read}


def opened_before(solution, old: dict[str, Tensor], new: dict[str, Tensor]) -> dict:
    """Somebody opens the file of the first save, and reads it after the second: what is read, and what is there now."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.pt")
        solution.save_weights(network(old), path)
        with open(path, "rb") as reader:
            solution.save_weights(network(new), path)
            try:
                seen = dict(torch.load(reader, weights_only=True))
            except Exception as caught:
                seen = type(caught).__name__
        return {"seen": seen, "now": dict(torch.load(path, weights_only=True)), "files": os.listdir(folder)}


def load(solution, own: dict[str, Tensor], stored: dict[str, Tensor], strict: bool | None, place: str = "cpu") -> dict:
    """Loads `stored` into a network of mixed modes with the state `own`. `place` is the device that the file names."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.pt")
        with mock.patch("torch.serialization.location_tag", return_value=place):
            torch.save(stored, path)
        model = network(own)
        model.norm.eval()
        before, report, error = modes(model), None, ""
        options = {} if strict is None else {"strict": strict}
        try:
            report = solution.load_weights(model, path, **options)
        except Exception as caught:
            error = type(caught).__name__
        return {
            "error": error,
            "report": report,
            "state": copied(model),
            "before": before,
            "modes": modes(model),
            "trainable": [p.requires_grad for p in model.parameters()],
        }


class _Call:
    """What an attacker puts into a file: a call that pickle makes while it loads."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def hostile(solution, own: dict[str, Tensor], whole: bool) -> dict:
    """Loads a file that holds a pickled call, or a whole module."""
    with tempfile.TemporaryDirectory() as folder:
        path, mark = os.path.join(folder, "weights.pt"), os.path.join(folder, "mark")
        torch.save(nn.Linear(2, 2) if whole else {"first.weight": _Call(mark)}, path)
        model, raised = network(own), False
        try:
            solution.load_weights(model, path, strict=False)
        except Exception:
            raised = True
        return {"raised": raised, "executed": os.path.exists(mark), "state": copied(model)}
