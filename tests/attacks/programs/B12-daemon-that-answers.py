# id: B12
# tries: leaves a daemon that holds the socket and goes on answering when the child itself is gone
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
