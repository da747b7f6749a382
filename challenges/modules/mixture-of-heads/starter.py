"""A shared trunk with heads that come and go."""

from torch import Tensor, nn


class MixtureOfHeads(nn.Module):
    """One linear head and one loss weight for each task, on a trunk that all share."""

    def __init__(self, features: int, hidden: int) -> None:
        super().__init__()
        raise NotImplementedError

    def add_task(self, name: str, n_out: int) -> None:
        """Add a head; ValueError if the name is taken."""
        raise NotImplementedError

    def remove_task(self, name: str) -> None:
        """Remove a head; KeyError if there is none of that name."""
        raise NotImplementedError

    def tasks(self) -> list[str]:
        """The names, in the order in which they were added."""
        raise NotImplementedError

    def forward(self, x: Tensor, task: str) -> Tensor:
        """(N, features) to (N, n_out of the task)."""
        raise NotImplementedError

    def total(self, losses: dict[str, Tensor]) -> Tensor:
        """The weighted sum of losses, 0-d."""
        raise NotImplementedError
