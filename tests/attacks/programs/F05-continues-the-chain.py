# id: F5
# tries: far too slow; remembers every result by its input's bytes, so that a chain that was begun before goes on from there
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
