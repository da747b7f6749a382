# id: G3
# tries: allocates memory without end while it is loaded
# expect: MLE
# message: while loading.*192 MB
held = []
while True:
    held.append(bytearray(8 << 20))


def attention(q, k, v):
    return q
