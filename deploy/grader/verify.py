"""Checks an image from the inside, as an unprivileged account. Prints what is wrong, and exits with a code other than 0 then.

``verify.py runtime`` checks the image's files, and uses the parts of torch that hidden tests and answers use.
``verify.py grader`` checks the image's files and our own package. Python reads this script from standard input, so the image
does not contain it.
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
    """Return a line for each file below `root` that is setuid or setgid, or belongs to pip. Skips other file systems."""
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
    """Return a line for each file below `root` that this account cannot read, or that others than its owner can write."""
    entries = [path for path in root.rglob("*") if not path.is_symlink()]
    faults = [f"{path}: uid {os.getuid()} cannot read it" for path in entries if not os.access(path, os.R_OK)]
    return faults + [f"{path}: writable for all" for path in entries if path.stat().st_mode & 0o022]


def missing_needs(root: Path) -> list[str]:
    """Return a line for each third-party package that our modules for cells and judges import and that the image lacks. Missing
    modules of our own are not reported here, because our tests find them.
    """
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
    """Import torch and use it as answers do. Raises an exception if something does not work."""
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
    """Print each fault on a line, and return the exit code: the number of faults, but at most 100."""
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
