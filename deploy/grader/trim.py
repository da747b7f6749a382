"""Removes from an image what no cell uses. The build of the image runs this script inside the image.

``trim.py packages DIR`` removes C++ headers, CMake files and test suites from the packages in DIR.
``trim.py interpreter`` removes pip, the copy of pip in ensurepip, and all setuid and setgid bits.
"""

import os
import shutil
import stat
import sys
import sysconfig
from pathlib import Path

# Patterns of paths below the folder of packages. In torch/bin, only torch_shm_manager is kept: `import torch` looks for it.
PACKAGE_WASTE = (
    "bin",
    "torch/bin/[!t]*",
    "torch/bin/test_*",
    "torch/include",
    "torch/share",
    "torch/test",
    "torch/lib/*.a",
    "caffe2",
    "numpy/**/tests",
    "numpy/_core/include",
    "numpy/**/*.a",
    "sympy/**/tests",
    "mpmath/tests",
    "networkx/**/tests",
    "setuptools/**/tests",
    "fsspec/**/tests",
)
INTERPRETER_WASTE = ("pip", "pip-*", "ensurepip")


def remove(path: Path) -> None:
    """Remove a file, a link (but not its target), or a directory with everything in it."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def trim_packages(root: Path) -> None:
    """Remove everything below `root` that matches PACKAGE_WASTE."""
    for pattern in PACKAGE_WASTE:
        for path in list(root.glob(pattern)):
            remove(path)


def trim_interpreter() -> None:
    """Remove pip from every folder in which the base image may have it, and clear all setuid and setgid bits."""
    for folder in {sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib")}:
        for pattern in INTERPRETER_WASTE:
            for path in list(Path(folder).glob(pattern)):
                remove(path)
    for path in list(Path(sysconfig.get_path("scripts")).glob("pip*")):
        remove(path)
    drop_setuid(Path("/"))


def drop_setuid(root: Path) -> None:
    """Clear the setuid and setgid bits of all files below `root`, without entering other mounted file systems."""
    device = root.stat().st_dev
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if os.lstat(os.path.join(folder, name)).st_dev == device]
        for name in folders + files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if mode & (stat.S_ISUID | stat.S_ISGID) and not stat.S_ISLNK(mode):
                os.chmod(path, stat.S_IMODE(mode) & 0o1777)


if __name__ == "__main__":
    if sys.argv[1] == "packages":
        trim_packages(Path(sys.argv[2]))
    else:
        trim_interpreter()
