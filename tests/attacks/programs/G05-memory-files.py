# id: G5
# tries: fills files that exist only in memory (memfd)
# expect: MLE
# message: 192 MB
import os


def attention(q, k, v):
    while True:
        file = os.memfd_create("full")
        for _ in range(64):
            os.write(file, bytes(1 << 20))
