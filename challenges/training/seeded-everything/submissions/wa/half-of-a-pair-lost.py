# caught by: test_state_goes_through_a_file
"""Saves the words of the generators but not the waiting second half of a Gaussian pair."""

import os
import random
from contextlib import contextmanager

import numpy as np
import torch
from torch.utils.data import DataLoader

CUBLAS = "CUBLAS_WORKSPACE_CONFIG"


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def random_state():
    kind, keys, *rest = np.random.get_state()
    return {
        "python": (*random.getstate()[:2], None),
        "numpy": (kind, keys.tolist(), rest[0], 0, 0.0),
        "torch": torch.get_rng_state(),
    }


def set_random_state(state):
    random.setstate(state["python"])
    np.random.set_state(state["numpy"])
    torch.set_rng_state(state["torch"])


@contextmanager
def deterministic():
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    cudnn = torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark
    workspace = os.environ.get(CUBLAS)
    try:
        torch.use_deterministic_algorithms(True)
        torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
        if workspace != ":16:8":
            os.environ[CUBLAS] = ":4096:8"
        yield
    finally:
        torch.use_deterministic_algorithms(before[0], warn_only=before[1])
        torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = cudnn
        if workspace is None:
            os.environ.pop(CUBLAS, None)
        else:
            os.environ[CUBLAS] = workspace


def make_loader(dataset, batch_size, seed, workers=0):
    own = torch.Generator().manual_seed(seed)
    return DataLoader(dataset, batch_size, shuffle=True, num_workers=workers, generator=own)
