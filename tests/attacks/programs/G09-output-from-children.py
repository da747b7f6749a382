# id: G9
# tries: lets children print invalid UTF-8 and terminal commands without end while it sleeps
# expect: OLE
# message: printed more
import os
import time


def attention(q, k, v):
    for number in range(8):
        if os.fork() == 0:
            while True:
                os.write(1 + number % 2, b"\x1b]0;title\x07\xc3\x28\x00\r" * 1000)
    time.sleep(1000)
