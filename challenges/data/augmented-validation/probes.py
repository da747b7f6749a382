"""Programs that build datasets and subsets, read items, and bring them back as plain tensors."""

import torch
from given import TRANSFORMS, Images
from torch import Tensor
from torch.utils.data import DataLoader


def items(dataset) -> tuple[Tensor, list[int]]:
    """All items of a dataset, copied."""
    pairs = [dataset[i] for i in range(len(dataset))]
    return torch.stack([x.clone() for x, _ in pairs]) if pairs else torch.empty(0), [y for _, y in pairs]


def subset(solution, x: Tensor, y: Tensor, indices, names: dict) -> dict:
    """One subset: its length, its items read twice, and the base before and after."""
    base = Images(x.clone(), y, TRANSFORMS[names.get("base")])
    if isinstance(indices, dict):
        indices = range(*indices["range"])
    part = solution.TransformedSubset(base, indices, TRANSFORMS[names.get("subset")])
    first, labels = items(part)
    second, _ = items(part)
    return {
        "len": len(part),
        "x": first,
        "again": second,
        "y": labels,
        "base": items(base)[0],
        "stored": base.x.clone(),
    }


def two_subsets(solution, x: Tensor, y: Tensor, names: list) -> dict:
    """Two subsets of all items, made in this order; then the items of both and of the base."""
    base = Images(x.clone(), y)
    first = solution.TransformedSubset(base, list(range(len(x))), TRANSFORMS[names[0]])
    second = solution.TransformedSubset(base, list(range(len(x))), TRANSFORMS[names[1]])
    return {"first": items(first)[0], "second": items(second)[0], "base": items(base)[0]}


def nested(solution, x: Tensor, y: Tensor, outer: list[int], inner: list[int]) -> Tensor:
    """A subset (plus one) of a subset (doubled)."""
    part = solution.TransformedSubset(Images(x.clone(), y), inner, TRANSFORMS["double"])
    return items(solution.TransformedSubset(part, outer, TRANSFORMS["plus-one"]))[0]


def at(solution, x: Tensor, y: Tensor, indices: list[int], position: int):
    """The label at one position of a subset, or "IndexError"."""
    part = solution.TransformedSubset(Images(x.clone(), y), indices)
    try:
        return part[position][1]
    except IndexError:
        return "IndexError"


def split(solution, x: Tensor, y: Tensor, share: float, augment, seed: int, other: int = 0) -> dict:
    """One split: labels and items of both sides, validation read twice; and whether the global generator moved."""
    base = Images(x.clone(), y)
    torch.manual_seed(other)
    before = torch.get_rng_state()
    generator = torch.Generator().manual_seed(seed)
    train, validation = solution.split_for_training(base, share, TRANSFORMS[augment], generator)
    moved = not torch.equal(before, torch.get_rng_state())
    kinds = isinstance(train, solution.TransformedSubset) and isinstance(validation, solution.TransformedSubset)
    x_train, y_train = items(train)
    x_validation, y_validation = items(validation)
    return {
        "kinds": kinds,
        "moved": moved,
        "train": (x_train, y_train),
        "again": items(train)[0],
        "validation": (x_validation, y_validation),
        "validation again": items(validation)[0],
        "stored": base.x.clone(),
    }


def loaded(solution, x: Tensor, y: Tensor, indices: list[int], size: int) -> list:
    """Batches of a loader over a subset without transform."""
    return list(DataLoader(solution.TransformedSubset(Images(x.clone(), y), indices), batch_size=size))
