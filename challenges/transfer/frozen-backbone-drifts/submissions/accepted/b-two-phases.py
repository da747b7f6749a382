"""One loop for both phases, called twice."""

from torch import nn


def steps(model, batches, optimizer, forward):
    found = []
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        found.append(float(loss))
    return found


def finetune(model, batches, optimizer, freeze_after):
    model.train()
    losses = steps(model, batches[:freeze_after], optimizer, model)
    rest = batches[freeze_after:]
    if rest:
        model.backbone.requires_grad_(False).eval()
        optimizer.zero_grad(set_to_none=True)
        losses += steps(model, rest, optimizer, model)
    return losses
