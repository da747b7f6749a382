"""Reference: one helper that replaces a pair, ranks in a dictionary, one regular expression for special tokens."""

import re
from collections import Counter
from itertools import pairwise


def replaced(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
    out: list[int] = []
    i = 0
    while i < len(ids):
        if tuple(ids[i : i + 2]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(ids[i])
            i += 1
    return out


def train(data: bytes, vocab_size: int) -> list[tuple[int, int]]:
    if vocab_size < 256:
        raise ValueError(f"256 ids are taken by the bytes, got vocab_size {vocab_size}")
    ids, merges = list(data), []
    for new in range(256, vocab_size):
        counts = Counter(pairwise(ids))
        pair = min(counts, key=lambda p: (-counts[p], p), default=None)
        if pair is None or counts[pair] < 2:
            break
        ids = replaced(ids, pair, new)
        merges.append(pair)
    return merges


def encode(data: bytes, merges: list[tuple[int, int]], special: dict[bytes, int] | None = None) -> list[int]:
    if special:
        longest_first = sorted(special, key=len, reverse=True)
        pattern = b"(" + b"|".join(re.escape(token) for token in longest_first) + b")"
        ids = []
        for part in re.split(pattern, data):
            ids += [special[part]] if part in special else encode(part, merges)
        return ids
    rank = {pair: r for r, pair in enumerate(merges)}
    ids = list(data)
    while known := rank.keys() & set(pairwise(ids)):
        pair = min(known, key=rank.__getitem__)
        ids = replaced(ids, pair, 256 + rank[pair])
    return ids


def decode(ids: list[int], merges: list[tuple[int, int]], special: dict[bytes, int] | None = None) -> bytes:
    pieces = {i: bytes([i]) for i in range(256)}
    for r, (left, right) in enumerate(merges):
        pieces[256 + r] = pieces[left] + pieces[right]
    pieces |= {i: token for token, i in (special or {}).items()}
    if unknown := set(ids) - pieces.keys():
        raise ValueError(f"unknown ids: {sorted(unknown)}")
    return b"".join(pieces[i] for i in ids)
