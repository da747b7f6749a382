"""A class as context manager, states pickled into bytes of a tensor, and a sampler that knows its epoch."""

import os
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Sampler


def seed_everything(seed):
    torch.manual_seed(seed)
    random.seed(str(seed))
    np.random.seed([seed & 0xFFFFFFFF, seed >> 32])


def random_state():
    version, numbers, gauss = random.getstate()
    numpy = np.random.get_state(legacy=False)
    return {
        "version": version,
        "numbers": torch.tensor(numbers),
        "gauss": gauss,
        "key": torch.tensor(numpy["state"]["key"].astype("int64")),
        "pos": int(numpy["state"]["pos"]),
        "has_gauss": int(numpy["has_gauss"]),
        "numpy_gauss": float(numpy["gauss"]),
        "torch": torch.default_generator.get_state(),
    }


def set_random_state(state):
    random.setstate((state["version"], tuple(state["numbers"].tolist()), state["gauss"]))
    key = state["key"].numpy().astype("uint32")
    np.random.set_state(("MT19937", key, state["pos"], state["has_gauss"], state["numpy_gauss"]))
    torch.default_generator.set_state(state["torch"])


class Deterministic:
    def __enter__(self):
        cudnn = torch.backends.cudnn
        self.kept = (torch.get_deterministic_debug_mode(), cudnn.deterministic, cudnn.benchmark)
        self.warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
        self.workspace = os.environ.get("CUBLAS_WORKSPACE_CONFIG", "")
        torch.set_deterministic_debug_mode("error")
        cudnn.deterministic, cudnn.benchmark = True, False
        if self.workspace not in (":16:8", ":4096:8"):
            os.environ["CUBLAS_WORKSPACE_CONFIG"] = ":4096:8"

    def __exit__(self, *exception):
        mode, torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = self.kept
        torch.use_deterministic_algorithms(mode > 0, warn_only=self.warn_only)
        del os.environ["CUBLAS_WORKSPACE_CONFIG"]
        if self.workspace:
            os.environ["CUBLAS_WORKSPACE_CONFIG"] = self.workspace
        return False


def deterministic():
    return Deterministic()


class Shuffled(Sampler):
    def __init__(self, dataset, seed):
        self.dataset, self.seed, self.epoch = dataset, seed, 0

    def __len__(self):
        return len(self.dataset)

    def __iter__(self):
        own = torch.Generator().manual_seed(self.seed * 1000 + self.epoch)
        self.epoch += 1
        yield from torch.randperm(len(self.dataset), generator=own).tolist()


def make_loader(dataset, batch_size, seed, workers=0):
    own = torch.Generator()
    own.manual_seed(seed)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        sampler=Shuffled(dataset, seed),
        num_workers=workers,
        generator=own,
        worker_init_fn=seed_worker,
    )


def seed_worker(worker_id):
    """Harmless: what torch does anyway, from the seed that this worker was given."""
    seed = torch.initial_seed()
    random.seed(seed)
    np.random.seed(seed % 2**32)
