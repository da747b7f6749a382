"""One loop over both directions; log-softmax, and the positives picked by a one-hot mask."""

import torch
from torch.nn import functional


def unit(x):
    return x / torch.linalg.vector_norm(x, dim=-1, keepdim=True)


def clip_loss(image, text, log_scale, all_image=None, all_text=None, rank=0, max_scale=100.0):
    others = (text, image) if all_image is None else (all_text, all_image)
    start = 0 if all_image is None else rank * image.size(0)
    limit = torch.tensor(max_scale, dtype=log_scale.dtype).log()
    scale = torch.where(log_scale < limit, log_scale, limit).exp()
    total = 0.0
    for own, other in zip((image, text), others, strict=True):
        log_p = functional.log_softmax(torch.einsum("id,jd->ij", unit(own), unit(other)) * scale, dim=-1)
        right = torch.zeros_like(log_p, dtype=torch.bool)
        right[torch.arange(len(own)), torch.arange(start, start + len(own))] = True
        total = total - log_p[right].mean()
    return total / 2
