"""Stands in the place of CUDA: who makes a context takes the name of the GPU that it was given, and is counted by that name."""

import ctypes
import os

from grader.inside import cuda, kernel

PR_SET_NAME = 15


def make_context() -> None:
    """As the real one, on a GPU that takes no time."""
    name = ctypes.create_string_buffer(f"on {os.environ['CUDA_VISIBLE_DEVICES']}"[:15].encode())
    kernel.prctl(PR_SET_NAME, ctypes.addressof(name))


cuda.make_context = make_context
