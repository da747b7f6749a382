# id: F5
# tries: is far too slow; remembers every result by its input's bytes, so that the long chain could reuse those of the short one
# expect: WA
# message: five times slower
# package: smoothing
known = {}


def smooth(x):
    key = x.numpy().tobytes()
    if key not in known:
        for _ in range(25):
            known[key] = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return known[key].clone()
