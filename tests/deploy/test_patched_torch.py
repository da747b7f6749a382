"""Tests the changes that deploy/grader/patch_torch.py makes to torch: optimizers, checkpoints, torch.func and deterministic
algorithms do not import `torch._dynamo` or `torch._inductor`, and torch.compile still works.
"""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

SCRIPT = Path(__file__).parents[2] / "deploy" / "grader" / "patch_torch.py"
EVERYDAY = """
import sys, torch
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

def loss(w, x):
    return (x @ w).sin().square().mean()

w, x = torch.ones(3, 3, requires_grad=True), torch.randn(4, 3)
slope = torch.func.grad(loss)(w, x)
torch.func.hessian(loss)(w, x), torch.func.vmap(torch.func.jacrev(torch.sin))(x)
for reentrant in (False, True):
    checkpoint(loss, w, x, use_reentrant=reentrant).backward()
with FlopCounterMode(display=False):
    loss(w, x)
for make in (torch.optim.SGD, torch.optim.AdamW, torch.optim.Muon):
    make([w]).step()
torch.use_deterministic_algorithms(True)
"""
COMPILING = """
import torch._inductor.config
assert torch._inductor.config.deterministic
torch.use_deterministic_algorithms(False)
assert not torch._inductor.config.deterministic

def step(optimizer):
    optimizer.zero_grad()
    loss(w, x).backward()
    optimizer.step()

compiled = torch.compile(torch.func.grad(loss), backend="eager", fullgraph=True)
assert torch.equal(compiled(w.detach(), x), torch.func.grad(loss)(w.detach(), x))
torch.compile(step, backend="eager")(torch.optim.SGD([w], lr=0.1))
compiled = torch.compile(lambda: checkpoint(loss, w, x, use_reentrant=False), backend="eager", fullgraph=True)
assert torch.equal(compiled(), loss(w, x))
"""
ABSENT = "assert not {'torch._dynamo', 'torch._inductor'} & sys.modules.keys()"


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of torch that the script has changed. All other files are links to this interpreter's torch."""
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["cp", "-rs", Path(torch.__file__).parent, folder], check=True)
    done = subprocess.run([sys.executable, SCRIPT, folder / "torch"], check=True, capture_output=True, text=True)
    assert done.stdout == ""
    return folder


def run(program: str, site: Path) -> None:
    environment = {"PYTHONPATH": str(site), "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)


def test_everyday_work_does_not_import_dynamo_and_compiling_works_after_it(changed: Path) -> None:
    run("\n".join([EVERYDAY, ABSENT, COMPILING]), changed)


def test_another_version_of_torch_is_left_as_it_is(tmp_path: Path) -> None:
    names = (
        "__init__",
        "_inductor/config",
        "_compile",
        "optim/optimizer",
        "_functorch/eager_transforms",
        "utils/checkpoint",
    )
    for name in names:
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("another\n")
    done = subprocess.run([sys.executable, SCRIPT, tmp_path], check=True, capture_output=True, text=True)
    assert done.stdout.count("is not that of torch 2.13") == len(names)
    assert (tmp_path / "_compile.py").read_text() == "another\n"
