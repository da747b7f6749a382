# id: B5
# tries: sends its correct reply a hundred times, always under the id of the call
# expect: RE
# message: not asked for
import math

from grader.contract import wire

plain = wire._send_all


def send(sock, parts, deadline):
    parts = [bytes(part) for part in parts]
    plain(sock, parts * 100 if attention.called else parts, deadline)


wire._send_all = send


def attention(q, k, v):
    attention.called = True
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v


attention.called = False
