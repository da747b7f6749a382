# id: B5
# tries: answers the second call with exactly the bytes of the first reply, including its call id
# expect: RE
# message: not asked for
import math

from grader.contract import wire

plain, kept = wire._send_all, []


def send(sock, parts, deadline):
    kept.append([bytes(part) for part in parts])
    plain(sock, kept[1] if len(kept) > 2 else parts, deadline)


wire._send_all = send


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
