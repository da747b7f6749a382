# caught by: test_sorted_batches[ties]
"""Sorts upwards and turns the result around: equal samples change places."""

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence


def pad_collate(
    samples: list[tuple[Tensor, int | Tensor]], pad_value: int = 0, sort: bool = False
) -> dict[str, Tensor]:
    if not samples:
        raise ValueError("there is no batch of no samples")
    order = list(range(len(samples)))
    if sort:
        order = sorted(order, key=lambda i: len(samples[i][0]))[::-1]
    rows = [samples[i][0] for i in order]
    lengths = torch.tensor([len(ids) for ids in rows])
    ids = pad_sequence(rows, batch_first=True, padding_value=pad_value)
    return {
        "ids": ids,
        "lengths": lengths,
        "mask": torch.arange(ids.shape[1]) < lengths[:, None],
        "labels": torch.tensor([int(samples[i][1]) for i in order]),
        "restore": torch.argsort(torch.tensor(order)),
    }
