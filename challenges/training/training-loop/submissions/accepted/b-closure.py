"""optimizer.step(closure), gradients cleared to zero inside the closure, losses kept detached until the epoch ends."""

import torch


def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    place = next(iter(model.parameters()))
    means = []
    for epoch in range(epochs):
        model.train(True)
        losses, sizes = [], []
        for x, y in batches:
            inputs = x.to(place.device, non_blocking=True)
            target = y.to(place.device, non_blocking=True)

            def closure(inputs=inputs, target=target):
                optimizer.zero_grad(set_to_none=False)
                loss = loss_fn(model(inputs), target)
                loss.backward()
                if max_grad_norm is not None:
                    torch.nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm, foreach=False)
                return loss

            losses.append(optimizer.step(closure).detach())
            sizes.append(x.shape[0])
        if not sizes:
            raise ValueError("batches is empty (or a generator that is used up)")
        weights = torch.tensor(sizes, dtype=torch.float64)
        means.append(float((torch.stack(losses).double().cpu() * weights).sum() / weights.sum()))
        if scheduler:
            scheduler.step()
        if on_epoch and on_epoch(epoch, means[-1]):
            return means
    return means
