"""A few programs that share all rows and all blocks of the product, base-2 exponentials, and products without tl.dot."""

import triton
import triton.language as tl

PROGRAMS = 3
LOG2E = tl.constexpr(1.4426950408889634)


@triton.jit
def load_row(x, row, start, columns, stride_row, stride_column, BLOCK: tl.constexpr):
    j = start + tl.arange(0, BLOCK)
    values = tl.load(x + row * stride_row + j * stride_column, mask=j < columns, other=float("-inf"))
    return values.to(tl.float32), j


@triton.jit
def rows_kernel(x, out, rows, columns, x_row, x_column, out_row, out_column, BLOCK: tl.constexpr):
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        top = tl.full((), float("-inf"), tl.float32)
        for start in range(0, columns, BLOCK):
            values, j = load_row(x, row, start, columns, x_row, x_column, BLOCK)
            top = tl.maximum(top, tl.max(values, axis=0))
        if top == float("-inf"):
            top = 0.0
        total = tl.full((), 0.0, tl.float32)
        for start in range(0, columns, BLOCK):
            values, j = load_row(x, row, start, columns, x_row, x_column, BLOCK)
            total += tl.sum(tl.exp2((values - top) * LOG2E), axis=0)
        for start in range(0, columns, BLOCK):
            values, j = load_row(x, row, start, columns, x_row, x_column, BLOCK)
            weights = tl.exp2((values - top) * LOG2E)
            tl.store(out + row * out_row + j * out_column, weights / tl.maximum(total, 1.0), mask=j < columns)


def softmax(x, out):
    rows, columns = x.shape
    rows_kernel[(PROGRAMS,)](x, out, rows, columns, *x.stride(), *out.stride(), BLOCK=1024)


@triton.jit
def blocks_kernel(a, b, out, M, N, K, am, ak, bk, bn, om, on, bias, step, BIAS: tl.constexpr, BLOCK: tl.constexpr):
    across = tl.cdiv(N, BLOCK)
    for block in range(tl.program_id(0), tl.cdiv(M, BLOCK) * across, tl.num_programs(0)):
        m = block // across * BLOCK + tl.arange(0, BLOCK)
        n = block % across * BLOCK + tl.arange(0, BLOCK)
        total = tl.zeros((BLOCK, BLOCK), tl.float32)
        for start in range(0, K, 8):
            k = start + tl.arange(0, 8)
            here = tl.load(a + m[:, None] * am + k[None, :] * ak, mask=(m[:, None] < M) & (k[None, :] < K), other=0)
            there = tl.load(b + k[:, None] * bk + n[None, :] * bn, mask=(k[:, None] < K) & (n[None, :] < N), other=0)
            products = here.to(tl.float32)[:, :, None] * there.to(tl.float32)[None, :, :]
            total += tl.sum(products, axis=1)
        if BIAS:
            total += tl.load(bias + n * step, mask=n < N, other=0).to(tl.float32)
        tl.store(out + m[:, None] * om + n[None, :] * on, total, mask=(m[:, None] < M) & (n[None, :] < N))


def matmul(a, b, out, bias=None):
    with_bias = bias is not None
    blocks_kernel[(PROGRAMS,)](
        a, b, out, *out.shape, a.shape[1], *a.stride(), *b.stride(), *out.stride(),
        bias if with_bias else out, bias.stride(0) if with_bias else 0, BIAS=with_bias, BLOCK=16,
    )  # fmt: skip
