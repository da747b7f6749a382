"""A byte-pair tokenizer."""


def train(data: bytes, vocab_size: int) -> list[tuple[int, int]]:
    """The pairs to merge, in the order in which they are learned from data."""
    raise NotImplementedError


def encode(data: bytes, merges: list[tuple[int, int]], special: dict[bytes, int] | None = None) -> list[int]:
    """The ids of data, with special tokens kept whole."""
    raise NotImplementedError


def decode(ids: list[int], merges: list[tuple[int, int]], special: dict[bytes, int] | None = None) -> bytes:
    """The bytes that the ids stand for."""
    raise NotImplementedError
