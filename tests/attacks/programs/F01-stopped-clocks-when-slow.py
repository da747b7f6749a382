# id: F1
# tries: is far too slow; stops every clock that Python, torch and the test kit could use in its process
# expect: WA
# message: five times slower
# package: smoothing
import sys
import time

import torch

NAMES = [name for name in dir(time) if name.endswith(("time", "counter", "monotonic", "_ns"))]
for module in [time, *(module for module in list(sys.modules.values()) if hasattr(module, "perf_counter"))]:
    for name in NAMES:
        if callable(getattr(module, name, None)):
            setattr(module, name, lambda *_: 0)
torch.cuda.Event.elapsed_time = lambda *_: 0.0
torch.cuda.synchronize = lambda *_: None
for name, module in list(sys.modules.items()):
    if name.startswith("grader.testing") and hasattr(module, "Bench"):
        module.Bench.__call__ = lambda *_, **__: None


def smooth(x):
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out
