# caught by: test_values_and_gradients[sequences]
"""batchmean divides by the first dimension alone."""

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
    teacher = teacher.detach()
    log_q = F.log_softmax(student / T, dim=-1)
    p = F.softmax(teacher / T, dim=-1)
    soft = F.kl_div(log_q, p, reduction="batchmean")
    if student.dim() == 1:
        soft = soft * classes
    hard = F.cross_entropy(student.reshape(-1, classes), labels.reshape(-1))
    return alpha * T**2 * soft + (1 - alpha) * hard
