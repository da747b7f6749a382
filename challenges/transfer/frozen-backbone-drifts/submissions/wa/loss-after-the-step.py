# caught by: test_training_is_right[decay]
"""Notes the loss that the batch has after its step."""

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

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(torch.nn.functional.cross_entropy(model(x), y).item())
    return losses
