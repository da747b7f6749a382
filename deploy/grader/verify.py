"""Looks over an image from the inside, as an account without rights: exits non-zero with what is wrong.

``verify.py runtime`` also imports and exercises what hidden tests and answers use of torch; ``verify.py grader``
looks only at files and at our own package. It is read from standard input, so the image need not hold it.
"""

import importlib
import os
import stat
import sys
import sysconfig
from pathlib import Path

IMPORTS = (
    "numpy",
    "pytest",
    "torch",
    "torch.testing",
    "torch.optim",
    "torch.utils.data",
    "torch.utils.checkpoint",
    "torch.nn.attention.flex_attention",
    "torch.func",
    "torch.fx",
    "torch.export",
    "torch._dynamo",
    "torch.distributed",
    "torch.distributed.fsdp",
    "torch.distributed.tensor",
    "torch.multiprocessing",
    "torch.profiler",
    "torch.sparse",
    "torch.ao.quantization",
)


def bad_files(root: str) -> list[str]:
    """Files on root's file system that are setuid, setgid or belong to pip."""
    found = []
    device = os.lstat(root).st_dev
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if os.lstat(os.path.join(folder, name)).st_dev == device]
        for name in files + folders:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if not stat.S_ISLNK(mode) and mode & (stat.S_ISUID | stat.S_ISGID):
                found.append(f"{path}: setuid or setgid")
            if name in ("pip", "pip3", "ensurepip"):
                found.append(f"{path}: pip is left")
    return found


def closed_or_open(root: Path) -> list[str]:
    """Files below root that this account cannot read, or that others than the owner can write."""
    entries = [path for path in root.rglob("*") if not path.is_symlink()]
    faults = [f"{path}: uid {os.getuid()} cannot read it" for path in entries if not os.access(path, os.R_OK)]
    return faults + [f"{path}: writable for all" for path in entries if path.stat().st_mode & 0o022]


def missing_needs(root: Path) -> list[str]:
    """Packages that our modules for cells and judges import and the image lacks; our own are the tests' affair."""
    faults = []
    for path in sorted([*root.glob("grader/inside/**/*.py"), *root.glob("grader/testing/**/*.py")]):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("grader"):
                faults.append(f"{name}: {error}")
    return faults


def exercise() -> None:
    """Imports and uses torch as answers do; raises on what does not work."""
    for name in IMPORTS:
        importlib.import_module(name)
    import torch
    from torch import distributed

    model = torch.nn.Linear(3, 3)
    optimizer = torch.optim.AdamW(model.parameters())
    compiled = torch.compile(model, backend="eager")
    for (batch,) in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(4, 3)), num_workers=1):
        compiled(batch).sum().backward()
        optimizer.step()
    torch.testing.assert_close(compiled(torch.ones(3)), model(torch.ones(3)))
    distributed.init_process_group("gloo", init_method="file:///tmp/rendezvous", rank=0, world_size=1)
    total = torch.ones(2)
    distributed.all_reduce(total)
    distributed.destroy_process_group()


def main() -> int:
    """Prints each fault on a line; the exit code is their number, at most 100."""
    faults = bad_files("/") + closed_or_open(Path(sysconfig.get_path("purelib")))
    if sys.argv[1] == "runtime":
        exercise()
    else:
        faults += closed_or_open(Path("/opt/gradus"))
        faults += missing_needs(Path("/opt/gradus"))
    print(*faults, sep="\n", end="\n" if faults else "")
    return min(len(faults), 100)


if __name__ == "__main__":
    sys.exit(main())
