"""Twenty puzzles, one line each."""

from torch import Tensor


def sums(a: Tensor, b: Tensor) -> Tensor:
    raise NotImplementedError


def gaps(x: Tensor) -> Tensor:
    raise NotImplementedError


def same_token(ids: Tensor) -> Tensor:
    raise NotImplementedError


def band(n: int, w: int) -> Tensor:
    raise NotImplementedError


def prefix_mask(lengths: Tensor, t: int) -> Tensor:
    raise NotImplementedError


def label_means(x: Tensor, ids: Tensor, k: int) -> Tensor:
    raise NotImplementedError


def swap_neighbours(x: Tensor) -> Tensor:
    raise NotImplementedError


def antidiagonal(x: Tensor) -> Tensor:
    raise NotImplementedError


def circulant(c: Tensor) -> Tensor:
    raise NotImplementedError


def windows(x: Tensor, w: int) -> Tensor:
    raise NotImplementedError


def last_states(x: Tensor, lengths: Tensor) -> Tensor:
    raise NotImplementedError


def undo(p: Tensor) -> Tensor:
    raise NotImplementedError


def skewed(x: Tensor) -> Tensor:
    raise NotImplementedError


def runs(x: Tensor) -> Tensor:
    raise NotImplementedError


def first_true(mask: Tensor) -> Tensor:
    raise NotImplementedError


def enlarge(x: Tensor, r: int) -> Tensor:
    raise NotImplementedError


def block_sums(x: Tensor, r: int) -> Tensor:
    raise NotImplementedError


def forms(x: Tensor, w: Tensor, y: Tensor) -> Tensor:
    raise NotImplementedError


def traces(a: Tensor, b: Tensor) -> Tensor:
    raise NotImplementedError


def weighted_gram(x: Tensor, w: Tensor) -> Tensor:
    raise NotImplementedError
