# id: G26
# tries: calls back into the judge for ever, with as little as possible in every frame
# expect: TLE|RE
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    while True:
        server._exchange({"callback": 0, "args": [], "kwargs": {}}, [])
