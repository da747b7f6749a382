"""Looks at the attributes of a layer without a bias."""


def without_bias(solution) -> dict:
    """What the attribute bias is, and what the module lists."""
    layer = solution.MyLinear(3, 4, bias=False)
    return {
        "none": layer.bias is None,
        "parameters": [name for name, _ in layer.named_parameters()],
        "state": list(layer.state_dict()),
    }
