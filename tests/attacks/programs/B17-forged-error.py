# id: B17
# tries: replies with forged exceptions: internal types, impossible line numbers, a million characters of text, wrong fields
# expect: RE
import gc
import json
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
LIES = [
    {"type": "CheckFailed", "text": "x" * 1_000_000, "line": 10**9, "trace": "y" * 1_000_000},
    {"type": "Skipped", "text": None, "line": -1, "trace": None},
    {"type": ["AssertionError"], "text": {}, "line": True, "trace": []},
    {},
    "error",
    None,
]
lies = iter(LIES * 9)


def attention(q, k, v):
    body = json.dumps({"ok": False, "error": next(lies), "changed": [], "touched": [], "generators": []}).encode()
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    server.serve()
