"""Runs that are interrupted: everything that your functions are given lives here."""

import os
import pickle
import random
import tempfile

import torch
from given import Network, Run, Unsaveable
from torch import Tensor


def seeded(seed: int) -> None:
    torch.manual_seed(seed)
    random.seed(seed)


def uninterrupted(solution, plan: dict, weights: dict[str, Tensor], x: Tensor, y: Tensor) -> dict:
    """The run as it should be; calls nothing of yours."""
    run = Run(plan, weights)
    seeded(plan["seed"])
    return {"losses": [run.epoch(x, y) for _ in range(plan["epochs"])], **run.end()}


def interrupted(solution, plan: dict, weights: dict[str, Tensor], x: Tensor, y: Tensor) -> dict:
    """The same run with a checkpoint after epoch `stop`; then other work, fresh objects with other weights, and resume."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pt")
        run, losses = Run(plan, weights), []
        seeded(plan["seed"])
        for epoch in range(plan["stop"] + 1):
            losses.append(run.epoch(x, y))
            solution.save_checkpoint(path, epoch, plan["best"], **run.parts())
        run.epoch(x, y)  # goes on after the checkpoint, and is lost
        seeded(plan["seed"] + 7)
        fresh = Run(plan, {name: torch.zeros_like(value) for name, value in weights.items()})
        if fresh.generator is not None:
            fresh.generator.manual_seed(5)
        fresh.model.train(plan.get("training", True))
        next_epoch, best = solution.resume(path, **fresh.parts())
        training = fresh.model.training
        fresh.model.train()
        losses += [fresh.epoch(x, y) for _ in range(next_epoch, plan["epochs"])]
        return {"losses": losses, **fresh.end(), "next": next_epoch, "best": best, "training": training}


def loads_safely(solution, plan: dict, weights: dict[str, Tensor], x: Tensor, y: Tensor) -> bool:
    """Whether the file can be read with weights_only=True."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pt")
        run = Run(plan, weights)
        run.epoch(x, y)
        solution.save_checkpoint(path, 0, 0.5, **run.parts())
        try:
            torch.load(path, weights_only=True)
        except pickle.UnpicklingError:
            return False
        return True


def fails_while_saving(solution, plan: dict, weights: dict[str, Tensor]) -> dict:
    """A good checkpoint, then one that breaks off in the middle. What resume finds afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pt")
        run = Run(plan, weights)
        solution.save_checkpoint(path, 3, 0.25, model=run.model, optimizer=run.optimizer)
        with torch.no_grad():
            run.model.last.bias.add_(1)
        raised = False
        try:
            solution.save_checkpoint(path, 4, 0.125, run.model, run.optimizer, Unsaveable())
        except RuntimeError:
            raised = True
        try:
            found = solution.resume(path, model=run.model, optimizer=run.optimizer)
        except Exception as error:
            return {"raised": raised, "found": type(error).__name__}
        return {"raised": raised, "found": found, "bias": run.model.last.bias.detach().clone()}


class _Marks:
    """What an attacker would put into a file: a call that is made when it is loaded."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def hostile_file(solution, plan: dict, weights: dict[str, Tensor]) -> dict:
    """Whether resume runs what lies in a file from somebody else."""
    with tempfile.TemporaryDirectory() as folder:
        path, mark = os.path.join(folder, "run.pt"), os.path.join(folder, "mark")
        torch.save({"model": _Marks(mark)}, path)
        run, raised = Run(plan, weights), False
        try:
            solution.resume(path, model=run.model, optimizer=run.optimizer)
        except Exception:
            raised = True
        return {"raised": raised, "executed": os.path.exists(mark)}


def nothing_there(solution, plan: dict, weights: dict[str, Tensor]) -> dict:
    """resume without a file."""
    with tempfile.TemporaryDirectory() as folder:
        run = Run(plan, weights)
        before = torch.get_rng_state()
        found = solution.resume(os.path.join(folder, "none.pt"), model=run.model, optimizer=run.optimizer)
        return {"found": found, "drawn": not torch.equal(before, torch.get_rng_state()), **run.end()}


def first_save_fails(solution, plan: dict, weights: dict[str, Tensor]) -> dict:
    """The very first save breaks off in the middle. What resume finds afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path, run, raised = os.path.join(folder, "run.pt"), Run(plan, weights), False
        try:
            solution.save_checkpoint(path, 0, 0.5, run.model, run.optimizer, Unsaveable())
        except RuntimeError:
            raised = True
        try:
            return {"raised": raised, "found": solution.resume(path, model=run.model, optimizer=run.optimizer)}
        except Exception as error:
            return {"raised": raised, "found": type(error).__name__}


def in_the_current_folder(solution, plan: dict, weights: dict[str, Tensor]) -> tuple:
    """The path is the bare name of a file."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            run = Run(plan, weights)
            solution.save_checkpoint("run.pt", 2, 0.5, **run.parts())
            return solution.resume("run.pt", **run.parts())
        finally:
            os.chdir(before)


def other_network(solution, plan: dict, weights: dict[str, Tensor], narrow: bool = False) -> str:
    """What resume raises when the checkpoint belongs to another network: with a layer more, or with one output only."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pt")
        run = Run(plan, weights)
        if narrow:
            run.model.last = torch.nn.Linear(plan["sizes"][1], 1).double()
        solution.save_checkpoint(path, 0, None, model=run.model, optimizer=run.optimizer)
        model = Network(*plan["sizes"], 0.0).double()
        if not narrow:
            model.last = torch.nn.Identity()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        try:
            solution.resume(path, model=model, optimizer=optimizer)
        except Exception as error:
            return type(error).__name__
        return ""


def without_a_part(solution, plan: dict, weights: dict[str, Tensor], part: str) -> str:
    """What resume raises when it is asked for a part that was not saved."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pt")
        run = Run(plan, weights)
        given = run.parts()
        solution.save_checkpoint(path, 0, None, **{name: value for name, value in given.items() if name != part})
        try:
            solution.resume(path, **given)
        except Exception as error:
            return type(error).__name__
        return ""


def needs_less(solution, plan: dict, weights: dict[str, Tensor]) -> tuple:
    """resume with the model and the optimizer alone, from a checkpoint that has everything."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.pt")
        run = Run(plan, weights)
        solution.save_checkpoint(path, 6, 0.75, **run.parts())
        return solution.resume(path, run.model, run.optimizer)
