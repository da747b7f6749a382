# id: honest
# tries: nothing: an honest answer with joined threads, a thread pool and four torch threads
# expect: AC
import math
import threading
from concurrent.futures import ThreadPoolExecutor

import torch

torch.set_num_threads(4)


def attention(q, k, v):
    out = {}

    def work():
        out["scores"] = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    with ThreadPoolExecutor(2) as pool:
        return pool.submit(lambda: out["scores"].softmax(-1) @ v).result()
