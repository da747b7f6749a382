# id: F20
# tries: sends a forged reply from a thread before the work is done
# expect: WA
# message: a tensor expected
import gc
import json
import struct
import threading

import torch

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    def reply():
        body = json.dumps({"ok": True, "value": 0.0}).encode()
        server._sock.send(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)

    helper = threading.Thread(target=reply)
    helper.start()
    helper.join()
    return torch.ones(1000, 1000) @ torch.ones(1000, 1000)
