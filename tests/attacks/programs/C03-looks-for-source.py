# id: C3
# tries: searches modules, cached source lines and functions for the text of the tests
# expect: AC
import gc
import inspect
import linecache
import math
import sys
import types

WORDS = ("test_results_are_its_own", "test_keeps_its_inputs")


def attention(q, k, v):
    texts = ["".join(lines) for _, _, lines, *_ in (e for e in linecache.cache.values() if len(e) > 2)]
    texts += [str(list(vars(module))) for module in list(sys.modules.values()) if isinstance(module, types.ModuleType)]
    texts += [o.__name__ for o in gc.get_objects() if isinstance(o, types.FunctionType)]
    texts += [str(inspect.stack())]
    own = WORDS[0] + WORDS[1]
    for text in texts:
        if any(word in text for word in WORDS) and own not in text and "WORDS = (" not in text:
            raise RuntimeError("found the tests")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
