"""Loaders over datasets that note what is read."""

import torch
from given import Noting


def made(solution, samples: list, options: dict, seed: int | None = None):
    """A dataset, a generator if there is a seed, and a loader."""
    dataset = Noting(samples)
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    more = {} if generator is None else {"generator": generator}
    return dataset, generator, solution.MiniLoader(dataset, **options, **more)


def passes(solution, samples: list, options: dict, count: int, seed: int | None = None, world: int = 0) -> dict:
    """Whole passes, one after the other. `world` seeds torch's global generator before them."""
    dataset, generator, loader = made(solution, samples, options, seed)
    torch.manual_seed(world)
    batches, read = [], []
    for _ in range(count):
        dataset.read = []
        batches.append(list(loader))
        read.append(dataset.read)
    return {
        "batches": batches,
        "read": read,
        "length": len(loader),
        "state": None if generator is None else generator.get_state(),
        "world": torch.get_rng_state(),
    }


def over_a_list(solution, samples: list, options: dict) -> list:
    """One pass over a plain list."""
    return list(solution.MiniLoader(samples, **options))


def after_a_change(solution, samples: list, options: dict) -> bool:
    """Whether the samples are as before, after each batch has been changed in place."""
    before = [sample["x"].clone() for sample in samples]
    dataset, _, loader = made(solution, samples, options)
    for batch in loader:
        batch["x"].add_(1000.0)
    return all(torch.equal(sample["x"], x) for sample, x in zip(dataset.samples, before, strict=True))


def lengths(solution, cases: list) -> list:
    """For each (n, batch_size, drop_last): len, the sizes of the batches, and how many samples were read."""
    found = []
    for n, size, drop_last in cases:
        dataset, _, loader = made(solution, list(range(n)), {"batch_size": size, "drop_last": drop_last})
        found.append([len(loader), [len(batch) for batch in loader], len(dataset.read)])
    return found


def collated(solution, samples: list, options: dict) -> dict:
    """With a collate function that keeps what it is given."""
    given = []

    def keep(batch):
        given.append([type(batch).__name__, list(batch)])
        return len(given)

    loader = solution.MiniLoader(samples, collate_fn=keep, **options)
    return {"batches": list(loader), "given": given}


def read_so_far(solution, samples: list, options: dict) -> list[int]:
    """How many samples have been read: after the loader was made, after iter, and after each of three batches."""
    dataset, _, loader = made(solution, samples, options, 1)
    found = [len(dataset.read)]
    batches = iter(loader)
    found.append(len(dataset.read))
    for _ in range(3):
        next(batches)
        found.append(len(dataset.read))
    return found


def side_by_side(solution, n: int, size: int, shuffle: bool, seed: int) -> list:
    """Two passes that take turns."""
    _, _, loader = made(solution, list(range(n)), {"batch_size": size, "shuffle": shuffle}, seed)
    first, second = [], []
    for one, other in zip(loader, loader, strict=False):
        first += one.tolist()
        second += other.tolist()
    return [first, second]


def nested(solution, n: int, size: int, shuffle: bool, seed: int) -> list:
    """A whole pass within each step of another one."""
    _, _, loader = made(solution, list(range(n)), {"batch_size": size, "shuffle": shuffle}, seed)
    outer, inner = [], []
    for batch in loader:
        outer += batch.tolist()
        inner.append([i for other in loader for i in other.tolist()])
    return [outer, inner]


def left_early(solution, n: int, size: int, seed: int) -> list:
    """A pass that ends after its first batch, and then a whole one."""
    _, _, loader = made(solution, list(range(n)), {"batch_size": size, "shuffle": True}, seed)
    first = next(iter(loader)).tolist()
    return [first, [i for batch in loader for i in batch.tolist()]]


def refused(solution, batch_size: int) -> str:
    """What the constructor raises."""
    try:
        solution.MiniLoader([1, 2, 3], batch_size=batch_size)
    except Exception as error:
        return type(error).__name__
    return ""
