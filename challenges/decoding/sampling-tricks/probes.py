"""Streams that can be read once: many samples from them, and how many items are alive at the same time."""

import weakref

import torch


def kept(solution, n: int, k: int, times: int, seed: int) -> list[list[int]]:
    """The sorted items of many reservoirs over 0, 1, ..., n - 1, all from one generator."""
    generator = torch.Generator().manual_seed(seed)
    return [sorted(solution.reservoir((i for i in range(n)), k, generator)) for _ in range(times)]


class Item:
    """Lives as long as somebody keeps it."""

    def __init__(self, place: int) -> None:
        self.place = place


def alive(solution, n: int, k: int, seed: int) -> dict:
    """The places of the items in one reservoir, how often the stream ended, and the largest number of items alive."""
    items, most, ends = weakref.WeakSet(), 0, 0

    def stream():
        nonlocal most, ends
        for place in range(n):
            item = Item(place)
            items.add(item)
            most = max(most, len(items))
            yield item
            del item
        ends += 1

    found = solution.reservoir(stream(), k, torch.Generator().manual_seed(seed))
    return {"places": sorted(item.place for item in found), "most": most, "ends": ends}
