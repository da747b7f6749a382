# caught by: test_frozen_on_the_way[adam]
"""Takes the backbone out of the optimizer and leaves everything else as it was."""

import torch


def finetune(model, batches, optimizer, freeze_after):
    """One step for each batch; the backbone is frozen after `freeze_after` of them. Return the losses."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        if step >= freeze_after:
            model.backbone.eval()
            for parameter in model.backbone.parameters():
                for group in optimizer.param_groups:
                    group["params"] = [p for p in group["params"] if p is not parameter]

        loss = torch.nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses
