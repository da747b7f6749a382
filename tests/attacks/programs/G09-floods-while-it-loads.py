# id: G9
# tries: prints without end while it is loaded, one byte at a time and from a large buffer
# expect: OLE
# message: printed more
import sys

sys.stdout.reconfigure(write_through=True)
while True:
    print("x", end="")
    print("y" * 1_000_000)


def attention(q, k, v):
    return q
