# id: B23
# tries: leaks a hidden test's inputs through output, messages, type names and warnings
# expect: RE
import sys
import warnings


def attention(q, k, v):
    text = f"CANARY {q.tolist()}"
    print(text)
    print(text, file=sys.stderr, flush=True)
    warnings.warn(text, stacklevel=1)
    raise type("CANARY", (ValueError,), {})(text)
