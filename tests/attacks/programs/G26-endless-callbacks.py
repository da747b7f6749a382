# id: G26
# tries: makes callbacks to the judge without end, in frames that are as small as possible
# expect: TLE|RE
import gc

server = next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def attention(q, k, v):
    while True:
        server._exchange({"callback": 0, "args": [], "kwargs": {}}, [])
