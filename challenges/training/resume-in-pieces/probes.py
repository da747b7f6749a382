"""Runs that share a process: what one hands to the other is handed over as it is, not as a copy."""

from torch import Tensor

Batches = list[tuple[Tensor, Tensor]]


def continued(solution, weights: dict, others: dict, batches: Batches, lr: float, stop: int, until: int) -> dict:
    """One run is stopped after `stop` epochs; its state goes to a run that began with other weights and another rate."""
    first = solution.Run(weights, lr)
    losses = first.train(batches, stop)
    second = solution.Run(others, 0.5)
    second.restore(first.state())
    epoch = second.epoch
    losses = losses + second.train(batches, until)
    best, kept = second.best()
    return {
        "losses": losses,
        "epoch": epoch,
        "output": second.predict(batches[0][0]),
        "best": best,
        "kept": {name: value.clone() for name, value in kept.items()},
    }


def straight(solution, weights: dict, batches: Batches, lr: float, until: int) -> dict:
    """The same without an interruption."""
    run = solution.Run(weights, lr)
    losses = run.train(batches, until)
    best, kept = run.best()
    kept = {name: value.clone() for name, value in kept.items()}
    return {"losses": losses, "output": run.predict(batches[0][0]), "best": best, "kept": kept}


def state_of_the_past(solution, weights: dict, batches: Batches, stop: int, until: int) -> list[Tensor]:
    """A state is taken, the run goes on; then two other runs restore that state, one after the other's training."""
    run = solution.Run(weights)
    run.train(batches, stop)
    before = run.predict(batches[0][0]).clone()
    state = run.state()
    run.train(batches, until)
    found = [before]
    for _ in range(2):
        other = solution.Run(weights)
        other.restore(state)
        found.append(other.predict(batches[0][0]).clone())
        other.train(batches, until)
    return found


def back_in_time(solution, weights: dict, batches: Batches, stop: int, until: int) -> list:
    """One run goes on, returns to its own state, and goes on again."""
    run = solution.Run(weights)
    run.train(batches, stop)
    state = run.state()
    first = run.train(batches, until)
    run.restore(state)
    return [first, run.train(batches, until)]


def restored_twice(solution, weights: dict, batches: Batches, stop: int, until: int) -> list:
    """The losses of two runs that restore one and the same state, one after the other."""
    run = solution.Run(weights)
    run.train(batches, stop)
    state, losses = run.state(), []
    for _ in range(2):
        other = solution.Run(weights)
        other.restore(state)
        losses.append(other.train(batches, until))
    return losses
