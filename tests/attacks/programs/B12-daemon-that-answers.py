# id: B12
# tries: leaves a daemon that keeps the socket open and goes on answering after the child itself has ended
# expect: WA
import os
import signal

import torch

if os.fork():
    os._exit(0)
os.setsid()
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)


def attention(q, k, v):
    return torch.zeros_like(q)
