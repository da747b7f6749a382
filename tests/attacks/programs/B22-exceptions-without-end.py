# id: B22
# tries: raises deeply nested exception groups with a thousand notes and a circular __context__
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
