"""Draws from all generators around your functions; loaders, switches and imitated workers."""

import io
import os
import random
from contextlib import contextmanager

import numpy as np
import torch
from torch.utils.data import DataLoader
from torch.utils.data._utils import worker as torch_worker

CUBLAS = "CUBLAS_WORKSPACE_CONFIG"


def draws() -> dict:
    """A few draws of each kind, from each global generator."""
    return {
        "python": [random.random(), random.gauss(0, 1), random.randrange(10**9), random.gauss(0, 1)],
        "numpy": [*np.random.rand(2).tolist(), float(np.random.randn()), float(np.random.randn())],
        "torch": [*torch.rand(2, dtype=torch.float64).tolist(), *torch.randn(3, dtype=torch.float64).tolist()],
    }


def stir(n: int) -> None:
    """Draw n times from everything: whoever depends on a global generator gets other numbers afterwards."""
    for _ in range(n):
        random.gauss(0, 1)
        np.random.randn()
        torch.randn(3)


def seeded(solution, seed: int, before: int) -> dict:
    """Draws after seeding, with `before` draws ahead of it; weights and a dropout mask as well."""
    stir(before)
    returned = solution.seed_everything(seed)
    first = draws()
    layer = torch.nn.Linear(3, 2)
    mask = torch.nn.functional.dropout(torch.ones(16), 0.5)
    return {"returned": returned, "draws": first, "weight": layer.weight.detach().clone(), "mask": mask}


def saved(solution, before: int, between: int, file: bool) -> dict:
    """Draws after reading the state, and after putting it back, twice; `file` takes it through torch.save."""
    stir(before)
    # Gaussian draws of Python and NumPy come in pairs: see that the second half of one is waiting
    if random.getstate()[2] is None:
        random.gauss(0, 1)
    if not np.random.get_state()[3]:
        np.random.randn()
    reference = _states()
    state = solution.random_state()
    untouched = reference == _states()
    if file:
        buffer = io.BytesIO()
        torch.save({"epoch": 3, "random": state}, buffer)
        buffer.seek(0)
        state = torch.load(buffer, weights_only=True)["random"]
    runs = [draws()]
    for _ in range(2):
        stir(between)
        solution.set_random_state(state)
        runs.append(draws())
    return {"untouched": untouched, "runs": runs}


def _states() -> tuple:
    """Comparable states of the three generators."""
    kind, keys, *rest = np.random.get_state()
    return random.getstate(), (kind, keys.tolist(), rest), torch.get_rng_state().tolist()


def switches() -> list:
    """What `deterministic` sets, as it is now."""
    return [
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        torch.backends.cudnn.deterministic,
        torch.backends.cudnn.benchmark,
        os.environ.get(CUBLAS),
    ]


@contextmanager
def start_from(before: list):
    """Set the switches to `before`, and put back what they were at the end."""

    def put(values):
        torch.use_deterministic_algorithms(values[0], warn_only=values[1])
        torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = values[2], values[3]
        os.environ.pop(CUBLAS, None)
        if values[4] is not None:
            os.environ[CUBLAS] = values[4]

    kept = switches()
    try:
        put(before)
        yield
    finally:
        put(kept)


def block(solution, before: list, end: str = "") -> dict:
    """The switches inside the block and after it; `end` is "raise" or "nest" for other ways through it."""
    inner, error = None, ""
    with start_from(before):
        reference = _states()
        manager = solution.deterministic()
        made = switches()
        try:
            with manager:
                inside = switches()
                if end == "nest":
                    with solution.deterministic():
                        pass
                    inner = switches()
                if end == "raise":
                    raise KeyError("from the block")
        except KeyError:
            error = "KeyError"
        after = switches()
        untouched = reference == _states()
    return {"made": made, "inside": inside, "inner": inner, "after": after, "error": error, "untouched": untouched}


def orders(solution, plan: dict) -> dict:
    """The order of the samples in a few epochs, as lists of batches; draws from the global generators in between."""
    data = [torch.tensor([i, 2 * i], dtype=plan.get("dtype", torch.int64)) for i in range(plan["size"])]
    random.seed(plan["noise"])
    np.random.seed(plan["noise"])
    torch.manual_seed(plan["noise"])
    reference = _states()
    loader = solution.make_loader(data, plan["batch_size"], plan["seed"])
    other = solution.make_loader(data, plan["batch_size"], plan["seed"] + 1) if plan.get("other") else None
    epochs, untouched = [], True
    for _ in range(plan["epochs"]):
        epochs.append([[int(row[0]) for row in batch] for batch in loader])
        if other is not None:
            for _ in other:
                pass
        untouched &= reference == _states()
        stir(plan.get("between", 0))
        reference = _states()
    return {
        "is_loader": isinstance(loader, DataLoader),
        "workers": getattr(loader, "num_workers", None),
        "epochs": epochs,
        "untouched": untouched,
    }


class Augmented:
    """A dataset whose samples are draws from all three generators."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> list[float]:
        return [index, random.random(), float(np.random.rand()), torch.rand((), dtype=torch.float64).item()]


def in_workers(solution, seed: int, workers: int, epochs: int, noise: int) -> dict:
    """What each worker of each epoch would draw. One process plays all of them, seeded as torch seeds a new worker."""
    kept = _kept()
    torch.manual_seed(noise)
    random.seed(noise)
    np.random.seed(noise)
    loader = solution.make_loader(Augmented(), 2, seed, workers)
    found = {"num_workers": loader.num_workers, "epochs": []}
    for _ in range(epochs):
        base = torch.empty((), dtype=torch.int64).random_(generator=loader.generator).item()
        found["epochs"].append([_one_worker(loader, base, i, workers) for i in range(workers)])
        random.seed(noise), np.random.seed(noise), torch.manual_seed(noise)
    _put(kept)
    return found


def _one_worker(loader: DataLoader, base: int, i: int, workers: int) -> list[float]:
    """The head of torch's worker loop, and then one sample."""
    seed = base + i
    random.seed(seed)
    torch.manual_seed(seed)
    np.random.seed(torch_worker._generate_state(base, i))
    info = torch_worker.WorkerInfo(id=i, num_workers=workers, seed=seed, dataset=loader.dataset)
    torch_worker._worker_info = info
    try:
        if loader.worker_init_fn is not None:
            loader.worker_init_fn(i)
        return loader.dataset[0][1:]
    finally:
        torch_worker._worker_info = None


def _kept() -> tuple:
    return random.getstate(), np.random.get_state(), torch.get_rng_state()


def _put(kept: tuple) -> None:
    random.setstate(kept[0])
    np.random.set_state(kept[1])
    torch.set_rng_state(kept[2])
