"""Simulates CUDA for tests. A process that creates a context renames itself after its GPU, so that fake_nvml can count it."""

import ctypes
import os

from grader.inside.confine import kernel
from grader.inside.zygote import cuda

PR_SET_NAME = 15


def make_context() -> None:
    """Rename this process. The real function creates a CUDA context, which takes long."""
    name = ctypes.create_string_buffer(f"on {os.environ['CUDA_VISIBLE_DEVICES']}"[:15].encode())
    kernel.prctl(PR_SET_NAME, ctypes.addressof(name))


cuda.make_context = make_context
