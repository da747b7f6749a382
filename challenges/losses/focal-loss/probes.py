"""A tensor of weights that its owner goes on using."""

from torch import Tensor


def load_and_overwrite(solution, alpha: Tensor, loaded: Tensor) -> tuple[Tensor, Tensor]:
    """The given tensor after other weights were loaded, and the buffer after the given tensor was set to 0."""
    given = alpha.clone()
    module = solution.FocalLoss(2.0, given)
    module.load_state_dict({"alpha": loaded})
    after_load = given.clone()
    given.zero_()
    return after_load, module.state_dict()["alpha"].clone()
