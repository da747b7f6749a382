# caught by: test_in_a_loader[unsorted]
"""Made by a factory: fine in this process, but pickle cannot find it by its name."""

import torch
from torch.nn.utils.rnn import pad_sequence


def make_collate():
    def collate(samples, pad_value=0, sort=False):
        if not samples:
            raise ValueError("there is no batch of no samples")
        order = list(range(len(samples)))
        if sort:
            order.sort(key=lambda i: len(samples[i][0]), reverse=True)
        rows = [samples[i][0] for i in order]
        lengths = torch.tensor([len(ids) for ids in rows])
        ids = pad_sequence(rows, batch_first=True)
        ids = ids.masked_fill(torch.arange(ids.shape[1]) >= lengths[:, None], pad_value)
        return {
            "ids": ids,
            "lengths": lengths,
            "mask": torch.arange(ids.shape[1]) < lengths[:, None],
            "labels": torch.tensor([int(samples[i][1]) for i in order]),
            "restore": torch.argsort(torch.tensor(order)),
        }

    return collate


pad_collate = make_collate()
