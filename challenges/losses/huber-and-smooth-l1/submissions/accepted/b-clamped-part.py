"""The error is split into a part within the threshold and the rest."""

REDUCE = {"none": lambda t: t, "sum": lambda t: t.sum(), "mean": lambda t: t.mean()}


def huber(pred, target, delta=1.0, reduction="mean"):
    if not delta > 0 or reduction not in REDUCE or pred.shape != target.shape:
        raise ValueError("delta, reduction or shapes")
    error = (pred - target).abs()
    inner = error.clamp(max=delta)
    return REDUCE[reduction](inner * (error - inner / 2))


def smooth_l1(pred, target, beta=1.0, reduction="mean"):
    if beta > 0:
        return huber(pred, target, beta, reduction) / beta
    if beta < 0 or reduction not in REDUCE or pred.shape != target.shape:
        raise ValueError("beta, reduction or shapes")
    return REDUCE[reduction]((pred - target).abs())
