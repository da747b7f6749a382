"""The indices of one rank, without a process group."""


def shard(n: int, rank: int, world: int, epoch: int, seed: int, shuffle: bool, drop_last: bool) -> list[int]:
    """The indices that this rank visits in this epoch, in order."""
    raise NotImplementedError
