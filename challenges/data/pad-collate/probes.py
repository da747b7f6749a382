"""Programs that need live objects: a loader, a pickled function, tensors that might share memory."""

import pickle
from functools import partial

from given import Sentences
from torch import Tensor
from torch.utils.data import DataLoader


def load(solution, ids: list[Tensor], labels: list[int], batch_size: int, options: dict) -> list[dict[str, Tensor]]:
    """All batches of a DataLoader whose collate function went through pickle on its way, as it does to a worker."""
    collate = pickle.loads(pickle.dumps(partial(solution.pad_collate, **options)))
    return list(DataLoader(Sentences(ids, labels), batch_size, collate_fn=collate))


def write_into_batch(solution, samples: list, options: dict) -> list:
    """The samples, after every tensor of their batch was overwritten."""
    batch = solution.pad_collate(samples, **options)
    for tensor in batch.values():
        tensor.zero_()
    return samples


def same_items(solution, samples: list, options: dict) -> bool:
    """Whether the list still holds the very same pairs in the same order after the call."""
    before = list(samples)
    solution.pad_collate(samples, **options)
    return len(samples) == len(before) and all(one is other for one, other in zip(samples, before, strict=True))
