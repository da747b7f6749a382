"""The attributes of a loader, and its passes where it has no workers."""

import warnings

import torch
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler


def samples(n: int) -> list:
    return [torch.full((3,), float(i)) for i in range(n)]


def build(solution, n: int, *arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a node may have fewer cores than the machine that is asked for
        return solution.build_loader(samples(n), *arguments, **options)


def attributes(solution, n: int, batch_size: int, device_type: str, cpu_count: int, train: bool) -> dict:
    """What the loader is set to. The last batch counts as dropped if the number of batches says so."""
    generator = torch.Generator()
    loader = build(solution, n, batch_size, device_type, cpu_count, train, generator=generator)
    order = {RandomSampler: "shuffled", SequentialSampler: "as it is"}.get(type(loader.sampler), "another")
    return {
        "a DataLoader": isinstance(loader, DataLoader),
        "workers": loader.num_workers,
        "prefetch_factor": loader.prefetch_factor,
        "persistent_workers": loader.persistent_workers,
        "pin_memory": loader.pin_memory,
        "order": order,
        "batches": len(loader),
        "batch_size": loader.batch_size,
        "generator": loader.generator is generator,
    }


def passes(solution, n: int, batch_size: int, train: bool, count: int, seed: int | None = None, world: int = 0) -> list:
    """Passes of a loader for one core."""
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    loader = build(solution, n, batch_size, "cpu", 1, train, generator=generator)
    torch.manual_seed(world)
    return [list(loader) for _ in range(count)]


def data_after(solution, n: int) -> bool:
    """Whether a list of samples is as it was after a loader was built and read."""
    data = samples(n)
    kept = [x.clone() for x in data]
    loader = solution.build_loader(data, 2, "cpu", 1, True)
    list(loader)
    return len(data) == n and all(torch.equal(a, b) for a, b in zip(data, kept))
