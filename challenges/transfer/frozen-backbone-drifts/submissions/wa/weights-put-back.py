# caught by: test_frozen_on_the_way[sgd]
"""Puts the old weights back after each step: gradients stay, and nothing is saved."""

import torch


def finetune(model, batches, optimizer, freeze_after):
    """One step for each batch; the backbone is frozen after `freeze_after` of them. Return the losses."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        if step >= freeze_after:
            model.backbone.eval()
            for parameter in model.backbone.parameters():
                parameter.requires_grad_(True)

        loss = torch.nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())

        optimizer.zero_grad()
        loss.backward()
        kept = [p.detach().clone() for p in model.backbone.parameters()]
        optimizer.step()
        if step >= freeze_after:
            for parameter, old in zip(model.backbone.parameters(), kept):
                parameter.data.copy_(old)
    return losses
