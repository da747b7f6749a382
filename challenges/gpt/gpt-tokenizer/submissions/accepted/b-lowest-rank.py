"""As the statement says it: of the pairs that are present, the one that was learned first."""


def encode(text, merges):
    rank = {tuple(pair): i for i, pair in enumerate(merges)}
    ids = list(bytes(text, "utf-8"))
    while True:
        present = [pair for pair in zip(ids, ids[1:]) if pair in rank]
        if not present:
            return ids
        best = min(present, key=rank.get)
        new = []
        for x in ids:
            if new and new[-1] is not None and (new[-1], x) == best:
                new[-1] = None
                new.append(256 + rank[best])
                # the new id must not take part in the same round
                new.append(None)
            else:
                new.append(x)
        ids = [x for x in new if x is not None]


def decode(ids, merges):
    def data(i):
        stack, out = [i], []
        while stack:
            x = stack.pop()
            if x < 256:
                out.append(x)
            else:
                a, b = merges[x - 256]
                stack += [b, a]
        return bytes(out)

    limit = 256 + len(merges)
    parts = []
    for i in ids:
        if not 0 <= i < limit:
            raise ValueError(i)
        parts.append(data(i))
    return b"".join(parts).decode(errors="replace")
