# id: G3
# tries: keeps tensors until memory is used up
# expect: MLE
# message: used more than 192 MB
import torch


def attention(q, k, v):
    held = []
    while True:
        held.append(torch.ones(2 << 20))
