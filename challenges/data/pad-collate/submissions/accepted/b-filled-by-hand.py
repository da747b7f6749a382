"""A table of padding into which each sample is written; the permutation by a stable torch.sort."""

import torch


def pad_collate(samples, pad_value=0, sort=False):
    count = len(samples)
    if count == 0:
        raise ValueError("empty batch")
    lengths = torch.tensor([ids.numel() for ids, _ in samples], dtype=torch.int64)
    order = torch.arange(count)
    if sort:
        lengths, order = torch.sort(lengths, descending=True, stable=True)
    restore = torch.empty_like(order)
    restore[order] = torch.arange(count)

    width = int(lengths.max())
    table = samples[0][0].new_full((count, width), pad_value)
    mask = torch.zeros(count, width, dtype=torch.bool)
    labels = torch.empty(count, dtype=torch.int64)
    for row, which in enumerate(order.tolist()):
        ids, label = samples[which]
        table[row, : ids.numel()] = ids
        mask[row, : ids.numel()] = True
        labels[row] = label
    return {"ids": table, "lengths": lengths, "mask": mask, "labels": labels, "restore": restore}
