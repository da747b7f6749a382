"""Computes an error for every value and looks away where it means nothing; the largest gradient decides the scale."""

import torch


def losses_in(values, dtype):
    x = values.detach().flatten().to(torch.float64)
    x = x[x.isfinite() & x.ne(0)]
    y = x.to(dtype).to(torch.float64)
    gone, over = y.eq(0), y.isinf()
    relative = ((y - x) / x).abs().masked_fill(gone | over, 0.0)
    worst = torch.cat([relative, relative.new_zeros(1)]).max()
    return {"overflowed": over.sum().item(), "vanished": gone.sum().item(), "worst": worst.item()}


def largest_scale(gradients, dtype):
    tops = [g.detach().double().abs().max() for g in gradients if g.numel()]
    top = torch.stack(tops).max() if tops else torch.zeros((), dtype=torch.float64)
    scales = 2.0 ** torch.arange(25, dtype=torch.float64)
    good = scales[(scales * top).to(dtype).isfinite()]
    return good[-1].item() if len(good) else 0.0
