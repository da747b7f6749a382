# id: honest
# tries: nothing: an honest answer that prints a little, warns and logs
# expect: AC
import logging
import math
import sys
import warnings


def attention(q, k, v):
    for step in range(20):
        print("step", step, tuple(q.shape), "ümläut ∑")
    print("to stderr", file=sys.stderr)
    warnings.warn("a warning", stacklevel=2)
    logging.getLogger(__name__).warning("a log line")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
