# id: C4
# tries: looks for the tests through the root, descriptors and mounts of every process, chains of .., and symbolic links
# expect: AC
import contextlib
import math
import os

NAMES = ("tests.py", "tests.lock", "challenge.toml", "reference.py", "submissions", "challenges", "editorial.md")
PLACES = ("/", "/..", "../" * 40, "/home", "/root", "/srv", "/opt", "/mnt", "/media", "/run", "/var/lib", "/tmp", "/tests", "/grade")
found = []


def look(folder):
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            found.append(path)


for place in PLACES:
    look(place)
for pid in [p for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()] + ["1"]:
    for name in ("root", "cwd", "fd", "map_files", "task/1/root", "environ", "mem", "maps", "exe", "io", "stack"):
        with contextlib.suppress(OSError):
            path = f"/proc/{pid}/{name}"
            os.close(os.open(path, os.O_RDONLY))
            os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)
            found.append(path)
for number, target in enumerate(("/proc/1/root", "/proc/1/cwd", "/proc/1/fd/3")):
    with contextlib.suppress(OSError):
        os.symlink(target, f"link{number}")
        look(f"link{number}")
        os.listdir(f"link{number}")
        found.append(target)
with open("/proc/self/mountinfo") as file:
    found += [line for line in file if "challenges" in line or "tests" in line]


def attention(q, k, v):
    if found:
        raise RuntimeError(f"found {found[:20]}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
