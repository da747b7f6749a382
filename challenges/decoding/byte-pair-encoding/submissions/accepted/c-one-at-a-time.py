"""Encodes with one replacement at a time (the leftmost pair of the lowest rank); trains on a copy where each id is a character
of a string, so that str.count and str.replace do the work."""

import heapq


def train(data, vocab_size):
    if vocab_size - 256 < 0:
        raise ValueError(vocab_size)
    # Private characters above the surrogates: id i is chr(0x10000 + i).
    text = "".join(chr(0x10000 + b) for b in data)
    result = []
    while len(result) + 256 < vocab_size and len(text) > 1:
        seen = {}
        for a, b in zip(text, text[1:]):
            seen[a + b] = seen.get(a + b, 0) + 1
        heap = [(-n, p) for p, n in seen.items()]
        heapq.heapify(heap)
        n, p = heap[0]
        if n == -1:
            break
        text = text.replace(p, chr(0x10000 + 256 + len(result)))
        result.append((ord(p[0]) - 0x10000, ord(p[1]) - 0x10000))
    return result


def _ordinary(data, order):
    ids = list(data)
    while True:
        best = None
        for i in range(len(ids) - 1):
            r = order.get((ids[i], ids[i + 1]))
            if r is not None and (best is None or r < best[0]):
                best = (r, i)
        if best is None:
            return ids
        r, i = best
        ids[i : i + 2] = [256 + r]


def encode(data, merges, special=None):
    order = {tuple(p): r for r, p in enumerate(merges)}
    if not special:
        return _ordinary(data, order)
    # The first special token from here: the smallest position, then the greatest length.
    found = [(data.find(t), -len(t), t) for t in special if t in data]
    if not found:
        return _ordinary(data, order)
    at, _, token = min(found)
    rest = encode(data[at + len(token) :], merges, special)
    return _ordinary(data[:at], order) + [special[token]] + rest


def decode(ids, merges, special=None):
    table = [bytes((i,)) for i in range(256)]
    for left, right in merges:
        table.append(table[left] + table[right])
    extra = {}
    for token, i in (special or {}).items():
        extra[i] = token
    parts = []
    for i in ids:
        if i in extra:
            parts.append(extra[i])
        elif 0 <= i < len(table):
            parts.append(table[i])
        else:
            raise ValueError("no such id")
    return b"".join(parts)
