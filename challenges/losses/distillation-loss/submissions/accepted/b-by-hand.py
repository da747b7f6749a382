"""The sums as they stand in the formula, over the last dimension; the label is picked with gather."""

import torch


def distill_loss(student, teacher, labels, T, alpha):
    if not T > 0 or not 0 <= alpha <= 1 or teacher.shape != student.shape or labels.shape != student.shape[:-1]:
        raise ValueError("see the statement")
    with torch.no_grad():
        log_p = (teacher / T).log_softmax(-1)
        p = log_p.exp()
        entropy = torch.xlogy(p, p).sum(-1)
    log_q = (student / T).log_softmax(-1)
    soft = entropy - (p * log_q).sum(-1)
    hard = student.logsumexp(-1) - student.gather(-1, labels[..., None])[..., 0]
    return (soft * (alpha * T * T) + hard * (1 - alpha)).mean()
