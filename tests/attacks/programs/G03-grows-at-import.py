# id: G3
# tries: grows until it is stopped, while it is loaded
# expect: MLE
# message: while loading.*192 MB
held = []
while True:
    held.append(bytearray(8 << 20))


def attention(q, k, v):
    return q
