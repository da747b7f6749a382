# id: C13
# tries: searches the image for git and shell history, build files, challenges and other packages of this project
# expect: AC
import glob
import importlib.metadata
import math
import os

PATTERNS = (
    *("/.git", "/*/.git", "/usr/local/lib/**/.git", "/root/.*history", "/home/*/.*history", "/**/tests.lock", "/*/tests.py"),
    *("/**/challenge.toml", "/Dockerfile*", "/*/Dockerfile*", "/root/buildinfo", "/challenges", "/*/challenges", "/.dockerenv.*"),
    *("/usr/*/lib/python3*/*-packages/challenges", "/usr/*/lib/python3*/*-packages/tests", "/usr/*/lib/python3*/*-packages/api"),
)
found = [path for pattern in PATTERNS for path in glob.glob(pattern, recursive="**" not in pattern)]
for package in importlib.metadata.distributions():
    name = str(package.metadata["Name"])
    if name.lower().startswith("gradus") or package.read_text("direct_url.json"):
        found.append(name)
grader = os.path.dirname(importlib.import_module("grader").__file__)
found += [name for name in os.listdir(os.path.dirname(grader)) if name in ("challenges", "api", "tests", "deploy", ".git")]


def attention(q, k, v):
    if found:
        raise RuntimeError(f"found {found[:20]}")
    return (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(-1) @ v
