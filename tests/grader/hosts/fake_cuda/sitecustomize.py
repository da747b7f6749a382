"""Replaces CUDA: a process that creates a context is renamed after its GPU, and fake_nvml counts it by that name."""

import ctypes
import os

from grader.inside.confine import kernel
from grader.inside.zygote import cuda

PR_SET_NAME = 15


def make_context() -> None:
    """Like the real function, but takes no time."""
    name = ctypes.create_string_buffer(f"on {os.environ['CUDA_VISIBLE_DEVICES']}"[:15].encode())
    kernel.prctl(PR_SET_NAME, ctypes.addressof(name))


cuda.make_context = make_context
