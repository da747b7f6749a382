"""Five functions for runs that can be repeated."""

from contextlib import AbstractContextManager

from torch.utils.data import DataLoader


def seed_everything(seed: int) -> None:
    """Seed Python's, NumPy's and torch's global generators."""
    raise NotImplementedError


def random_state() -> dict:
    """The state of the three global generators, in a form that torch.load(..., weights_only=True) accepts."""
    raise NotImplementedError


def set_random_state(state: dict) -> None:
    """Put back what random_state gave."""
    raise NotImplementedError


def deterministic() -> AbstractContextManager:
    """Deterministic algorithms inside the block; all switches as before after it."""
    raise NotImplementedError


def make_loader(dataset, batch_size: int, seed: int, workers: int = 0) -> DataLoader:
    """A shuffling loader whose order depends on `seed` and the epoch alone."""
    raise NotImplementedError
