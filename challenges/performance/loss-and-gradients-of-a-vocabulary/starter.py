from torch import Tensor


def loss_and_gradients(hidden: Tensor, weight: Tensor, target: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """(N, d), (V, d), (N,) -> the mean cross entropy of hidden @ weight.T, and its gradients (N, d) and (V, d)"""
    raise NotImplementedError
