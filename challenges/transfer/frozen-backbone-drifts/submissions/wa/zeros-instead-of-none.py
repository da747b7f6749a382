# caught by: test_parameters_stay
"""Sets gradients to zero: momentum and weight decay go on."""

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

        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
    return losses
