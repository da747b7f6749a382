# id: A12
# tries: installs trace, profile, audit and exception hooks, which observe other code, then answers correctly
# expect: AC
import logging
import math
import sys
import threading
import warnings

seen = []
warnings.simplefilter("error")
logging.basicConfig(level=0)
sys.setprofile(lambda frame, event, argument: seen.append(event) if len(seen) < 1000 else None)
sys.settrace(lambda frame, event, argument: None)
sys.excepthook = threading.excepthook = lambda *_: None
sys.addaudithook(lambda name, arguments: None)


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
