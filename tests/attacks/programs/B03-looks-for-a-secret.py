# id: B3
# tries: looks for a key, a token, a seed or a signature among the grader's objects in its own memory
# expect: AC
import gc
import math
import re

WORDS = re.compile("secret|token|hmac|sign|seed|digest|expected|verdict|job_id|password", re.I)
found = set()
for thing in gc.get_objects():
    kind = type(thing)
    if str(getattr(kind, "__module__", "")).startswith("grader") and hasattr(thing, "__dict__"):
        found |= {f"{kind.__name__}.{name}" for name, value in vars(thing).items() if WORDS.search(name) and value}
    if kind is dict and {"op", "ctx"} & set(thing):
        found |= {name for name in thing if isinstance(name, str) and WORDS.search(name)}


def attention(q, k, v):
    if found:
        raise RuntimeError(f"found {found}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
