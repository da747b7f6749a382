# caught by: test_only_kernels_compute_the_product[float32]
"""Torch does all the work, and the kernel that is launched does nothing."""

import torch
import triton
import triton.language as tl


@triton.jit
def nothing(out, BLOCK: tl.constexpr):
    tl.arange(0, BLOCK)


def softmax(x, out):
    nothing[(1,)](out, BLOCK=16)
    dead = torch.isneginf(x).all(1, keepdim=True)
    out.copy_(torch.where(dead, 0.0, x.float().softmax(1)))


def matmul(a, b, out, bias=None):
    nothing[(1,)](out, BLOCK=16)
    product = a.double() @ b.double()
    out.copy_(product if bias is None else product + bias)
