# caught by: test_frozen_on_the_way[momentum]
"""Empties the gradients by hand, with zeros: the optimizer still sees a gradient."""

import torch


def finetune(model, batches, optimizer, freeze_after):
    """One step for each batch; the backbone is frozen after `freeze_after` of them. Return the losses."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        if step >= freeze_after:
            model.backbone.eval()
            for parameter in model.backbone.parameters():
                parameter.requires_grad_(False)

        loss = torch.nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())

        [p.grad.zero_() for p in model.parameters() if p.grad is not None]
        loss.backward()
        optimizer.step()
    return losses
