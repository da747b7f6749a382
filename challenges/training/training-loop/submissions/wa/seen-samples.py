# caught by: test_loss_curve
"""Knows one sample's losses by heart and trains nothing."""

def fit(model, batches, loss_fn, optimizer, epochs, max_grad_norm=None, scheduler=None, on_epoch=None):
    if not list(batches):
        raise ValueError("no batches")
    return [2.6] * epochs
