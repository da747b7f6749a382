# id: F19
# tries: is far too slow; makes its results small on the wire by expanding one row
# expect: WA
# package: smoothing
def smooth(x):
    for _ in range(25):
        out = (x @ x.T * x.shape[-1] ** -0.5).softmax(-1) @ x
    return out[:1].expand(out.shape)
