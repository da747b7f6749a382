# caught by: test_mixtures[1]
"""alpha weighs the labels."""

import torch.nn.functional as F
from torch import Tensor


def distill_loss(student: Tensor, teacher: Tensor, labels: Tensor, T: float, alpha: float) -> Tensor:
    if student.shape != teacher.shape or student.shape[:-1] != labels.shape:
        raise ValueError("student and teacher are (…, C), labels (…)")
    if T <= 0:
        raise ValueError("T must be above 0")
    if alpha < 0 or alpha > 1:
        raise ValueError("alpha lies between 0 and 1")
    classes = student.shape[-1]
    student, teacher = student.reshape(-1, classes), teacher.detach().reshape(-1, classes)
    log_q = (student / T).log_softmax(1)
    p = (teacher / T).softmax(1)
    soft = F.kl_div(log_q, p, reduction="batchmean")
    hard = F.cross_entropy(student, labels.reshape(-1))
    return (1 - alpha) * T**2 * soft + alpha * hard
