# caught by: test_samples_are_left_alone[unsorted]
"""Pads in place: puts the padded tensors back into the list of samples."""

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence


def pad_collate(
    samples: list[tuple[Tensor, int | Tensor]], pad_value: int = 0, sort: bool = False
) -> dict[str, Tensor]:
    if not samples:
        raise ValueError("there is no batch of no samples")
    lengths = [len(ids) for ids, _ in samples]
    for i, (ids, label) in enumerate(samples):
        samples[i] = (torch.nn.functional.pad(ids, (0, max(lengths) - len(ids)), value=pad_value), label)
    order = list(range(len(samples)))
    if sort:
        order.sort(key=lambda i: lengths[i], reverse=True)
    rows = [samples[i][0] for i in order]
    lengths = torch.tensor([lengths[i] for i in order])
    ids = pad_sequence(rows, batch_first=True, padding_value=pad_value)
    return {
        "ids": ids,
        "lengths": lengths,
        "mask": torch.arange(ids.shape[1]) < lengths[:, None],
        "labels": torch.tensor([int(samples[i][1]) for i in order]),
        "restore": torch.argsort(torch.tensor(order)),
    }
