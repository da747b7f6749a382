import torch


def moe(
    x: torch.Tensor,
    router: torch.Tensor,
    w_in: torch.Tensor,
    w_out: torch.Tensor,
    k: int,
    capacity: int | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """A mixture of E experts, of which each token uses k.

    x: (N, d)      router: (E, d)      w_in: (E, d, h)      w_out: (E, h, d)
    capacity: seats of each expert; None = enough for everybody
    returns y (N, d) and the balance loss, a scalar
    """
    raise NotImplementedError
