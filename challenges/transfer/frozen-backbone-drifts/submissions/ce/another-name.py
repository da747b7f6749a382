"""The last parameter has another name."""

import torch


def finetune(model, batches, optimizer, freeze_at):
    """One step for each batch; the backbone is frozen after `freeze_at` of them. Return the losses."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        if step >= freeze_at:
            model.backbone.eval()
            for parameter in model.backbone.parameters():
                parameter.requires_grad_(False)

        loss = torch.nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses
