"""Count what one rank of a data-parallel training stores."""


def bytes_per_rank(
    shapes: list[tuple[int, ...]], rank: int, world: int, layout: str, states: int = 2, itemsize: int = 4
) -> dict[str, int]:
    """{"weights": ..., "gradients": ..., "states": ...}"""
    raise NotImplementedError
