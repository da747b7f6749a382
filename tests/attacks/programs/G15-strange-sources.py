# id: G15
# tries: compiles sources that are hard on compilers: nesting, null bytes, byte order marks, encodings; then answers correctly
# expect: AC
import contextlib
import math

SOURCES = (
    "(" * 100_000 + ")" * 100_000,
    "[" * 5_000 + "]" * 5_000,
    "x = 1\0\nimport os",
    "\ufeff\ufeffx = 1",
    b"# -*- coding: utf-7 -*-\n+AGEAYg- = 1",
    b"# -*- coding: rot13 -*-\nvzcbeg bf",
    b"# -*- coding: hex -*-\n78",
    b"# -*- coding: ../../etc/passwd -*-\nx = 1",
    b"\xff\xfex\x00=\x001\x00",
    "f'" + "{" * 500,
    "\n".join(" " * depth + "if 1:" for depth in range(500)),
    "x = " + "9" * 100_000,
)
for source in SOURCES:
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError, LookupError):
        exec(compile(source, "x.py", "exec", dont_inherit=True), {})


def attention(q, k, v):
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
