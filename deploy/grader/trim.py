"""Takes out of an image what no cell uses; runs inside the build.

``trim.py packages DIR``: C++ headers, CMake files and test suites of the packages in DIR.
``trim.py interpreter``: pip and its bundled copy, setuid and setgid bits.
"""

import os
import shutil
import stat
import sys
import sysconfig
from pathlib import Path

# Of torch/bin, torch_shm_manager stays: `import torch` looks for it.
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
    """Removes a file, a link or a whole tree."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def trim_packages(root: Path) -> None:
    """Removes PACKAGE_WASTE below root."""
    for pattern in PACKAGE_WASTE:
        for path in list(root.glob(pattern)):
            remove(path)


def trim_interpreter() -> None:
    """Removes pip wherever the base image keeps it, and every setuid or setgid bit."""
    for folder in {sysconfig.get_path(name) for name in ("purelib", "platlib", "stdlib")}:
        for pattern in INTERPRETER_WASTE:
            for path in list(Path(folder).glob(pattern)):
                remove(path)
    for path in list(Path(sysconfig.get_path("scripts")).glob("pip*")):
        remove(path)
    drop_setuid(Path("/"))


def drop_setuid(root: Path) -> None:
    """Clears setuid and setgid on all files of root's own file system."""
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
