# id: A1
# tries: leaves conftest.py, pytest.ini, sitecustomize.py and other files wherever it can write, then returns zeros
# expect: WA
import contextlib
import os

import torch

for folder in (".", "/tmp", "/dev/shm", os.path.expanduser("~"), "/", "/usr/local/lib"):
    for name in ("conftest.py", "pytest.ini", "tox.ini", "sitecustomize.py", "torch.py", "pytest.py"):
        with contextlib.suppress(OSError), open(os.path.join(folder, name), "w") as file:
            file.write("import pytest\n@pytest.hookimpl\ndef pytest_runtest_makereport(item, call): pass\n")
os.environ.update(PYTEST_ADDOPTS="-p conftest", PYTEST_PLUGINS="conftest", PYTHONPATH="/tmp")


def attention(q, k, v):
    return torch.zeros_like(q)
