"""Several documents in one row."""

from torch import Tensor


def pack(documents: list[Tensor], length: int) -> tuple[Tensor, Tensor]:
    """Token ids and numbers of documents, both (rows, length)"""
    raise NotImplementedError


def attention_mask(numbers: Tensor) -> Tensor:
    """(B, L) -> (B, L, L) of bool"""
    raise NotImplementedError


def positions(numbers: Tensor) -> Tensor:
    """(B, L) -> (B, L): the place of each token in its document"""
    raise NotImplementedError


def targets(ids: Tensor, numbers: Tensor) -> Tensor:
    """(B, L), (B, L) -> (B, L): the next token of the same document, or -100"""
    raise NotImplementedError
