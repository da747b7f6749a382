"""Makes a layer from tensors that require gradients, trains it a little, and says what became of the tensors."""

from torch import Tensor


def what_the_caller_keeps(solution, weight: Tensor, bias: Tensor, x: Tensor, history: bool) -> dict:
    """Leaves, or with `history` results of a computation on leaves, are passed in; then comes one backward pass."""
    leaves = [weight.clone().requires_grad_(), bias.clone().requires_grad_()]
    given = [leaf * 1.0 for leaf in leaves] if history else leaves
    layer = solution.LoRALinear(given[0], given[1], 2)
    layer(x).square().sum().backward()
    same = all(bool((a == b).all()) for a, b in zip(given, (weight, bias), strict=True))
    return {
        "gradients": [leaf.grad is not None for leaf in leaves],
        "requires": [tensor.requires_grad for tensor in given],
        "same": same,
    }
