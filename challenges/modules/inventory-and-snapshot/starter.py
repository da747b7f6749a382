"""Counting what a model holds, and remembering its best state."""

from torch import nn


def inventory(model: nn.Module) -> dict[str, int]:
    """Numbers of elements: total, trainable, frozen, buffers, shared."""
    raise NotImplementedError


class BestModel:
    """Remembers the state with the best score. Faulty: repair it."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.best_score = 0.0
        self.state = None

    def update(self, score: float) -> bool:
        """Store the state if the score is the best so far, and say whether it was."""
        if score <= self.best_score:
            return False
        self.best_score = score
        self.state = self.model.state_dict()
        return True

    def restore(self) -> None:
        """Put the stored state into the model."""
        self.model.load_state_dict(self.state, assign=True)
