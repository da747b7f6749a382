"""Runs other programs with ordinary CPU weight beside a test: loops that use one processor each, and a program that uses much
memory.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LOOP = "while True: pass"
HOG = """
import sys
mine = bytearray(int(sys.argv[1]) << 20)
while True:
    for at in range(0, len(mine), 4096):
        mine[at] = (mine[at] + 1) % 256
"""


@contextmanager
def neighbours(loops: int = 2, hog_mb: int = 0) -> Iterator[None]:
    """Run these programs during the `with` block: `loops` busy loops, and a program that uses `hog_mb` MiB of memory (none if
    it is 0).
    """
    started = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(loops)]
    if hog_mb:
        started.append(subprocess.Popen([sys.executable, "-c", HOG, str(hog_mb)]))
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()
