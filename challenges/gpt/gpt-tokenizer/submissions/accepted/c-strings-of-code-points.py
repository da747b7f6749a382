"""The ids are the code points of a string, and str.replace does the merging."""


def shown(i):
    # beyond the surrogates, which str can hold but which are easy to confuse
    return chr(0x10000 + i)


def encode(text, merges):
    line = "".join(map(shown, text.encode()))
    for i, (a, b) in enumerate(merges):
        line = line.replace(shown(a) + shown(b), shown(256 + i))
    return [ord(c) - 0x10000 for c in line]


def decode(ids, merges):
    for i in ids:
        if i not in range(256 + len(merges)):
            raise ValueError(f"no id {i}")
    ids = list(ids)
    for i in reversed(range(len(merges))):
        ids = [part for x in ids for part in (merges[i] if x == 256 + i else (x,))]
    return bytes(ids).decode("utf-8", "replace")
