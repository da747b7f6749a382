# id: B17
# tries: sends replies with as many values as fit into 8 MB, to keep the judge busy
# expect: RE
# message: not a reply
import gc
import struct

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")
ROWS = b",".join([b'["R","bool",[0],[1],"cpu",0,0,0,null]'] * 150_000)
LISTS = b",".join([b'["l"]'] * 1_000_000)
bodies = iter([b'{"ok":true,"value":1.0,"tensors":[' + ROWS + b"]}", b'{"ok":true,"value":["l",' + LISTS + b"]}"] * 9)


def attention(q, k, v):
    body = next(bodies)
    server._sock.sendall(struct.pack(">4sB16sIQ", b"GRD1", 4, server._call, len(body), 0) + body)
    server.serve()
