# id: G9
# tries: prints without end and without a newline
# expect: OLE
# message: printed more
import os


def attention(q, k, v):
    while True:
        os.write(2, b"\x00\xff\x1b[2J" * 4096)
