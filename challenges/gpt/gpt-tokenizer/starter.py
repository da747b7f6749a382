"""Text to tokens and back, with merges that are already learned."""


def encode(text: str, merges: list[tuple[int, int]]) -> list[int]:
    """The ids of a text."""
    raise NotImplementedError


def decode(ids: list[int], merges: list[tuple[int, int]]) -> str:
    """The text of some ids."""
    raise NotImplementedError
