# id: F11
# tries: lets its own processes work between the calls, while the calls only wait
# expect: TLE
import math
import os
import time

read, write = os.pipe()
for _ in range(4):
    if os.fork() == 0:
        # The worker measures its own CPU time, so that the attack is the same on a busy machine.
        worked = 0.0
        while True:
            if time.process_time() > worked + 0.2:
                worked += 0.2
                os.write(write, b"x")


def attention(q, k, v):
    for _ in range(4):
        os.read(read, 1)
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
