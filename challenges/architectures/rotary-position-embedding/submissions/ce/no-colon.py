"""A syntax error."""

def rotary(x, positions=None, base=10000.0, interleaved=False)
    return x
