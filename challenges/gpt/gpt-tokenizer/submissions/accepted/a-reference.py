"""Each merge in the order of the list: what it creates can only take part in later merges."""


def merged(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
    out, i = [], 0
    while i < len(ids):
        if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(ids[i])
            i += 1
    return out


def encode(text: str, merges: list[tuple[int, int]]) -> list[int]:
    ids = list(text.encode("utf-8"))
    for i, pair in enumerate(merges):
        ids = merged(ids, tuple(pair), 256 + i)
    return ids


def decode(ids: list[int], merges: list[tuple[int, int]]) -> str:
    table = [bytes([i]) for i in range(256)]
    for a, b in merges:
        table.append(table[a] + table[b])
    if any(i < 0 or i >= len(table) for i in ids):
        raise ValueError("an id does not exist")
    return b"".join(table[i] for i in ids).decode("utf-8", errors="replace")
