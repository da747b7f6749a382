"""Many calls in one go."""


def shapes_of(solution, cases: list) -> list:
    """broadcast_shape of every list of shapes; "ValueError" where it raises that."""
    found = []
    for shapes in cases:
        try:
            found.append(solution.broadcast_shape(*shapes))
        except ValueError:
            found.append("ValueError")
    return found


def summed(solution, cases: list) -> list:
    """summed_dims of every pair."""
    return [solution.summed_dims(shape, out) for shape, out in cases]
