# caught by: test_training_is_right[momentum]
"""Makes a new optimizer for the head, without the momentum of the old one."""

import torch


def finetune(model, batches, optimizer, freeze_after):
    """One step for each batch; the backbone is frozen after `freeze_after` of them. Return the losses."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        if step == freeze_after:
            optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1, momentum=0.9)
        if step >= freeze_after:
            model.backbone.eval()
            for parameter in model.backbone.parameters():
                parameter.requires_grad_(False)

        loss = torch.nn.functional.cross_entropy(model(x), y)
        losses.append(loss.item())

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses
