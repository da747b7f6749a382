# caught by: test_labels_may_be_tensors[unsorted]
"""Takes the kind of the first label for the kind of all."""

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
    ids = pad_sequence(rows, batch_first=True, padding_value=pad_value)
    return {
        "ids": ids,
        "lengths": lengths,
        "mask": torch.arange(ids.shape[1]) < lengths[:, None],
        "labels": torch.stack([samples[i][1] for i in order])
        if isinstance(samples[order[0]][1], Tensor)
        else torch.tensor([samples[i][1] + 0 if isinstance(samples[i][1], int) else -1 for i in order]),
        "restore": torch.argsort(torch.tensor(order)),
    }
