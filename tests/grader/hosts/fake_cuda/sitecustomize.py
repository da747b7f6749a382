"""Simulates CUDA for tests. A process that creates a CUDA context renames itself after its GPU, so that fake_nvml can count the
process.
"""

import ctypes
import os

from grader.inside.confine import kernel
from grader.inside.zygote import cuda

PR_SET_NAME = 15


def make_context() -> None:
    """Rename this process. The function that this one replaces creates a CUDA context, which takes a long time."""
    name = ctypes.create_string_buffer(f"on {os.environ['CUDA_VISIBLE_DEVICES']}"[:15].encode())
    kernel.prctl(PR_SET_NAME, ctypes.addressof(name))


cuda.make_context = make_context
