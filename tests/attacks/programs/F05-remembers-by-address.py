# id: F5
# tries: is far too slow; remembers results by the address and version of the input
# expect: WA
# package: smoothing
known = {}


def smooth(x):
    key = (x.data_ptr(), x._version, x.shape)
    if key not in known:
        for _ in range(25):
            known[key] = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return known[key].clone()
