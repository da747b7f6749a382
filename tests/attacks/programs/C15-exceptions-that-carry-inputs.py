# id: C15
# tries: leaks a hidden test's inputs through standard error, notes, causes, warnings and function names
# expect: RE
# message: ^RuntimeError in line \d+ of your code$
import math
import sys
import warnings


def attention(q, k, v):
    if q.shape == k.shape and q.dim() == 2:
        return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
    text = f"CANARY{q.tolist()}"
    sys.stderr.write(text)
    warnings.warn(text, stacklevel=2)
    error = RuntimeError(text)
    error.add_note(text)
    error.__cause__ = KeyError(text)
    names = {}
    exec("def CANARY(error):\n    raise error", names)
    names["CANARY"](error)
