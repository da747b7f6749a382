"""No loop over rows: all ids in one long tensor, put into the table through the mask; then rows are permuted."""

import torch


def pad_collate(samples, pad_value=0, sort=False):
    if len(samples) < 1:
        raise ValueError("no samples")
    ids, labels = zip(*samples, strict=True)
    lengths = torch.as_tensor([len(t) for t in ids])
    mask = lengths.unsqueeze(1) > torch.arange(max(map(len, ids)))
    table = torch.full(mask.shape, pad_value, dtype=ids[0].dtype)
    table[mask] = torch.cat(ids)
    labels = torch.stack([torch.as_tensor(label, dtype=torch.int64) for label in labels])
    order = torch.argsort(-lengths, stable=True) if sort else torch.arange(len(ids))
    batch = {"ids": table, "lengths": lengths, "mask": mask, "labels": labels}
    return {key: tensor[order] for key, tensor in batch.items()} | {"restore": order.argsort()}
