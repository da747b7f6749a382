# id: G21
# tries: reads random bytes forever
# expect: TLE
def attention(q, k, v):
    with open("/dev/urandom", "rb") as file:
        while True:
            file.read(1 << 20)
