"""Order first, then pad_sequence; the mask from the lengths, and the padding from the mask (pad_sequence takes a float)."""

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
        order.sort(key=lambda i: len(samples[i][0]), reverse=True)
    rows = [samples[i][0] for i in order]
    lengths = torch.tensor([len(ids) for ids in rows])
    ids = pad_sequence(rows, batch_first=True)
    mask = torch.arange(ids.shape[1]) < lengths[:, None]
    return {
        "ids": ids.masked_fill(~mask, pad_value),
        "lengths": lengths,
        "mask": mask,
        "labels": torch.tensor([int(samples[i][1]) for i in order]),
        "restore": torch.argsort(torch.tensor(order)),
    }
