# caught by: test_divergence_by_hand
"""The divergence of the student from the teacher: weights are the student's."""

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
    log_p = F.log_softmax(teacher / T, dim=1)
    q = F.softmax(student / T, dim=1)
    soft = F.kl_div(log_p, q, reduction="batchmean")
    hard = F.cross_entropy(student, labels.reshape(-1))
    return alpha * T**2 * soft + (1 - alpha) * hard
