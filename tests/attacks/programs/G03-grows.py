# id: G3
# tries: allocates memory without end
# expect: MLE
# message: used more than 192 MB
def attention(q, k, v):
    held = []
    while True:
        held.append(bytearray(8 << 20))
