"""A scalar that remembers how it was computed."""


class Value:
    """A number in a graph. `data` is its value, `grad` what all backward passes so far have added up."""

    def __init__(self, data: float) -> None:
        self.data = float(data)
        self.grad = 0.0

    # + - * / with Values and numbers on either side, -v, v ** number

    def exp(self) -> "Value":
        """Return e to the power of this value."""
        raise NotImplementedError

    def tanh(self) -> "Value":
        """Return the hyperbolic tangent."""
        raise NotImplementedError

    def relu(self) -> "Value":
        """Return max(0, value)."""
        raise NotImplementedError

    def backward(self) -> None:
        """Add the derivative of this value by v to v.grad, for every v that it was computed from, and for itself."""
        raise NotImplementedError
