"""set_grad_enabled as a context manager, copy_ of a new value, a loop with append."""

import torch


def sgd_step_(params, lr, weight_decay=0.0):
    with torch.set_grad_enabled(False):
        for p in params:
            g = p.grad
            if g is not None:
                if weight_decay:
                    g = g.add(p, alpha=weight_decay)
                p.copy_(p - lr * g)


@torch.no_grad()
def teacher_targets(forward, batches):
    found = []
    for batch in batches:
        found.append(forward(batch).detach())
    return found
