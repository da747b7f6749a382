"""Many calls in one go."""


def strides_of(solution, shapes: list) -> list:
    """contiguous_stride of every shape."""
    return [solution.contiguous_stride(shape) for shape in shapes]


def views_of(solution, cases: list) -> list:
    """can_view of every case."""
    return [solution.can_view(*case) for case in cases]
