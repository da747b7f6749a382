from torch import Tensor


def squared_distances(x: Tensor, y: Tensor) -> Tensor:
    """(m, d), (n, d) -> (m, n): the squared distance of each row of x from each row of y"""
    raise NotImplementedError
