"""Encoding applies every merge once, in order of rank: a merge never creates a pair of a lower rank. Special tokens are
searched position by position. Decoding expands ids with a stack."""


def merge(ids, a, b, new):
    out = []
    skip = False
    for i, x in enumerate(ids):
        if skip:
            skip = False
            continue
        if x == a and i + 1 < len(ids) and ids[i + 1] == b:
            out.append(new)
            skip = True
        else:
            out.append(x)
    return out


def train(data, vocab_size):
    if vocab_size < 256:
        raise ValueError("vocab_size must be at least 256")
    ids = [b for b in data]
    merges = []
    while len(merges) < vocab_size - 256:
        counts = {}
        for i in range(len(ids) - 1):
            p = (ids[i], ids[i + 1])
            counts[p] = counts.get(p, 0) + 1
        best, best_count = None, 1
        for p in sorted(counts):
            if counts[p] > best_count:
                best, best_count = p, counts[p]
        if best is None:
            return merges
        ids = merge(ids, best[0], best[1], 256 + len(merges))
        merges.append(best)
    return merges


def encode_ordinary(data, merges):
    ids = list(data)
    for r, (a, b) in enumerate(merges):
        ids = merge(ids, a, b, 256 + r)
    return ids


def encode(data, merges, special=None):
    special = special or {}
    out, start, i = [], 0, 0
    while i < len(data):
        here = [t for t in special if data.startswith(t, i)]
        if here:
            token = max(here, key=len)
            out.extend(encode_ordinary(data[start:i], merges))
            out.append(special[token])
            i += len(token)
            start = i
        else:
            i += 1
    out.extend(encode_ordinary(data[start:], merges))
    return out


def decode(ids, merges, special=None):
    names = {v: k for k, v in (special or {}).items()}
    out = bytearray()
    for i in ids:
        if i in names:
            out += names[i]
            continue
        stack = [i]
        while stack:
            x = stack.pop()
            if 0 <= x < 256:
                out.append(x)
            elif 256 <= x < 256 + len(merges):
                left, right = merges[x - 256]
                stack += [right, left]
            else:
                raise ValueError(x)
    return bytes(out)
