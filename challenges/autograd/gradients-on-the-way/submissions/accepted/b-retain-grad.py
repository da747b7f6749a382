"""backward(inputs=…) fills the .grad of the tensors that are named, and of no other."""

import torch


def input_saliency(model, x):
    with torch.enable_grad():
        leaf = x.clone().detach().requires_grad_(True)
        scores = model(leaf)
        winners = scores.argmax(dim=1, keepdim=True)
        scores.gather(1, winners).sum().backward(inputs=[leaf])
    return leaf.grad.abs()


def intermediate_grads(fns, x):
    with torch.enable_grad():
        h = x.clone().detach().requires_grad_(True)
        kept = [h]
        for fn in fns:
            h = fn(h)
            h.retain_grad()
            kept.append(h)
        torch.sum(h).backward(inputs=kept)
    return [t.grad.detach() for t in kept]
