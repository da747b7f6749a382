"""Warms up the zygote: imports what jobs will need, and runs it once. Without this, each import at first use would delay a job
by half a second.

Everything runs in one thread: libgomp, the OpenMP runtime, does not work in a child if its parent has run a parallel region,
and a child of a process with several threads may hang. Nothing here touches an accelerator: a driver that was used in the
parent does not work in its children.
"""

import codecs
import gc
import os
from typing import TYPE_CHECKING

from grader.inside.confine import seccomp
from grader.inside.zygote import hugepages

if TYPE_CHECKING:
    import torch


def warm(*, judge: bool, gpu: bool = False) -> None:
    """Warm up this process, then freeze the heap. Raises RuntimeError if the process then has more than one
    thread.

    If `gpu`, no backward pass runs here. The first backward pass, even on CPU tensors, makes autograd's engine start a thread
    for each device, and the engine then refuses to work in children.
    """
    gc.disable()
    import numpy as np
    import torch

    torch.set_num_threads(1)
    np.random.seed(0)
    for codec in ("ascii", "latin-1", "utf-8-sig", "utf-16", "unicode_escape", "raw_unicode_escape", "idna", "hex"):
        codecs.lookup(codec)
    for loopback in (False, True):  # a child installs what was built here; to build a filter takes 2.5 ms
        seccomp.candidate_filter(loopback=loopback, execute=False)
    _exercise_torch(backward=not gpu)
    if judge:
        _exercise_judge()
    # The garbage of the warm-up is kept: to collect it takes a fifth of a second of CPU, and frees less than a megabyte.
    gc.freeze()
    gc.enable()
    hugepages.collapse()
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"the zygote has {threads} threads after warming; forking would not be safe")


def _exercise_torch(*, backward: bool) -> None:
    import torch

    import grader.inside.cell.candidate  # noqa: F401
    from grader.inside.cell import observe
    from grader.inside.judge.rehearsal import cell_steps, rehearse

    observe.warm_up()
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4), torch.nn.GELU(), torch.nn.Dropout(0.1))
    loss = torch.nn.functional.cross_entropy(model(torch.randn(3, 4)), torch.tensor([0, 1, 2]))
    graphs = [loss, *_exercise_operators()]
    if backward:
        _exercise_backward(graphs)
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
        optimizer = make(model.parameters(), lr=0.1)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    rehearse(cell_steps(backward=backward))
    dataset = torch.utils.data.TensorDataset(torch.randn(4, 2))
    list(torch.utils.data.DataLoader(dataset, batch_size=2))
    torch.testing.assert_close(torch.ones(2), torch.ones(2))
    torch.randn(2, 2, generator=torch.Generator().manual_seed(0))


def _exercise_backward(graphs: "list[torch.Tensor]") -> None:
    import torch

    for graph in graphs:
        graph.backward()  # type: ignore[no-untyped-call]
    torch.autograd.gradcheck(torch.sin, (torch.randn(2, dtype=torch.float64, requires_grad=True),))


def _exercise_operators() -> "list[torch.Tensor]":
    """Run common operators. Returns scalars that have a graph, for a backward pass."""
    import torch
    from torch.nn import functional

    q = torch.randn(2, 3, 4, requires_grad=True)
    scores = torch.einsum("bij,bkj->bik", q, q).softmax(-1)
    attention = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    graphs = [
        functional.scaled_dot_product_attention(q, q, q).sum(),
        scores.masked_fill(torch.ones(3, 3, dtype=torch.bool), 0.0).sum(),
        attention(q, q, q)[0].sum(),
    ]
    functional.conv2d(torch.randn(1, 1, 4, 4), torch.randn(1, 1, 2, 2))
    functional.batch_norm(q.detach(), torch.zeros(3), torch.ones(3), training=True)
    with torch.autocast("cpu", torch.bfloat16):
        torch.nn.Linear(4, 4)(q.detach())
    repr(torch.randn(3))
    # Forward-mode differentiation compiles its decompositions on first import, which a confined child cannot do.
    torch.func.jvp(torch.sin, (torch.randn(2),), (torch.ones(2),))
    return graphs


def _exercise_judge() -> None:
    import tempfile
    from pathlib import Path

    from grader.inside.judge import main as judge

    with tempfile.TemporaryDirectory() as folder:
        judge.warm_up(Path(folder))
