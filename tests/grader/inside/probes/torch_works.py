"""A probe that acts as a zygote. It tries the features of torch that answers need, in children in namespaces of their own,
confined and filtered. It prints as JSON «ok» or the error for each feature.

Arguments: the uid that a zygote of root takes, and the folder that becomes a file system of each child's own. The probe prints
{"torch": null} if torch is not installed.
"""

import json
import os
import random
import sys
import threading
import traceback
from collections.abc import Callable, Sequence

from grader.inside.confine import namespaces
from grader.inside.confine.confine import Confinement, confine, prepare_zygote, reseed
from grader.inside.confine.namespaces import Surroundings, Tmpfs
from grader.inside.confine.seccomp import candidate_filter, install

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
try:
    import numpy as np
    import torch
    import torch.distributed
    import torch.utils.data
except ImportError:
    print(json.dumps({"torch": None}))
    sys.exit()


class Squares(torch.utils.data.Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 32

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.full((64, 64), float(index**2))


def matmul_on_two_threads() -> None:
    torch.set_num_threads(2)
    a = torch.randn(700, 700)
    assert torch.isfinite(a @ a).all()
    torch.set_num_threads(1)


def backward() -> None:
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.Flatten(), torch.nn.Linear(144, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.randn(8, 1, 8, 8)).square().mean().backward()
    optimizer.step()


def loader() -> None:
    batches = list(torch.utils.data.DataLoader(Squares(), batch_size=8, num_workers=2))
    assert len(batches) == 4
    assert batches[3][7, 0, 0] == 31**2


def threads() -> None:
    done: list[int] = []
    group = [threading.Thread(target=done.append, args=(number,)) for number in range(8)]
    for each in group:
        each.start()
    for each in group:
        each.join()
    assert len(done) == 8


def shared_memory() -> None:
    shared: torch.Tensor = torch.zeros(1000).share_memory_()  # type: ignore[no-untyped-call]
    assert shared.is_shared()  # type: ignore[no-untyped-call]
    os.close(os.memfd_create("x"))


def save_and_load() -> None:
    torch.save({"w": torch.ones(3)}, "w.pt")
    assert torch.load("w.pt")["w"].sum() == 3


def gloo() -> None:
    def rank(number: int) -> None:
        torch.distributed.init_process_group("gloo", init_method="tcp://127.0.0.1:29511", rank=number, world_size=2)
        value = torch.ones(4)
        torch.distributed.all_reduce(value)
        os._exit(0 if value.sum() == 8 else 1)

    pids = []
    for number in range(2):
        pids.append(os.fork())
        if pids[-1] == 0:
            try:
                rank(number)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0, 0]


WORK: tuple[Callable[[], None], ...] = (matmul_on_two_threads, backward, loader, threads, shared_memory, save_and_load)


def attempt(work: Callable[[], None]) -> str:
    try:
        work()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    return "ok"


def drawn() -> list[float]:
    return [random.random(), float(np.random.rand()), float(torch.rand(()))]


def child(loopback: bool) -> dict[str, object]:
    install(candidate_filter(loopback=loopback, execute=False))
    reseed()
    if loopback:
        return {"gloo": attempt(gloo)}
    return {"drawn": drawn(), **{work.__name__: attempt(work) for work in WORK}}


def in_child(own: str, loopback: bool) -> dict[str, object]:
    reading, writing = os.pipe()

    def enter(keep: Sequence[int]) -> None:
        wanted = Confinement(
            uid=os.getuid(),
            gid=os.getgid(),
            workdir=f"{own}/job",
            processes=100,
            file_bytes=1 << 26,
            keep_fds=(writing, *keep),
        )
        confine(wanted)

    def run() -> None:
        try:
            found = child(loopback)
        except BaseException as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        os.write(writing, json.dumps(found).encode())

    surroundings = Surroundings((Tmpfs(own, 64, 4096), Tmpfs("/dev/shm", 64, 4096)))
    pid = namespaces.spawn(surroundings, enter, run)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        report: dict[str, object] = json.load(pipe)
    os.waitpid(pid, 0)
    return report


def main(uid: str, own: str) -> None:
    torch.optim.SGD(
        torch.nn.Linear(1, 1).parameters(), lr=0.1
    )  # torch imports modules on first use, and the child might not be able to read their files
    loader()
    prepare_zygote(int(uid))
    os.chdir("/")
    report = {"first": in_child(own, False), "second": in_child(own, False), **in_child(own, True)}
    print(json.dumps({"torch": torch.__version__, **report}))


if __name__ == "__main__":
    main(*sys.argv[1:])
