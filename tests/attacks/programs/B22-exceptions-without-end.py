# id: B22
# tries: raises a group of groups of exceptions, with notes, causes in a circle and a frame for every line
# expect: RE
# message: ExceptionGroup|Exception
def attention(q, k, v):
    group = ExceptionGroup("CANARY", [ValueError("CANARY" * 1000)])
    for _ in range(200):
        group = ExceptionGroup("CANARY", [group, group])
    for number in range(1000):
        group.add_note(f"CANARY {number} {q.tolist()}")
    group.__context__ = KeyError("CANARY")
    group.__context__.__context__ = group
    raise group
