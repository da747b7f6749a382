"""Several rows in each program, in three passes; programs of the product in groups, for the sake of the cache."""

import triton
import triton.language as tl

ROWS, COLUMNS, BM, BN, BK, GROUP = 8, 256, 16, 64, 16, 4


@triton.jit
def softmax_kernel(
    x, out, M, N, xm, xn, om, on, ROWS: tl.constexpr, COLUMNS: tl.constexpr
):
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    j = tl.arange(0, COLUMNS)[None, :]
    low = float("-inf")
    top = tl.full((ROWS, COLUMNS), low, tl.float32)
    for start in range(0, N, COLUMNS):
        inside = (i < M) & (start + j < N)
        top = tl.maximum(top, tl.load(x + i * xm + (start + j) * xn, mask=inside, other=low).to(tl.float32))
    highest = tl.max(top, axis=1)[:, None]
    highest = tl.where(highest == low, 0.0, highest)
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    for start in range(0, N, COLUMNS):
        inside = (i < M) & (start + j < N)
        sums += tl.exp(tl.load(x + i * xm + (start + j) * xn, mask=inside, other=low).to(tl.float32) - highest)
    # the largest term of an ordinary row is 1, so only the sum of a row without finite entries is below 1
    scale = 1.0 / tl.maximum(tl.sum(sums, axis=1), 1.0)[:, None]
    for start in range(0, N, COLUMNS):
        inside = (i < M) & (start + j < N)
        values = tl.load(x + i * xm + (start + j) * xn, mask=inside, other=low).to(tl.float32)
        tl.store(out + i * om + (start + j) * on, tl.exp(values - highest) * scale, mask=inside)


def softmax(x, out):
    M, N = x.shape
    softmax_kernel[(triton.cdiv(M, ROWS),)](x, out, M, N, *x.stride(), *out.stride(), ROWS, COLUMNS)


@triton.jit
def product_kernel(
    a, b, out, M, N, K, am, ak, bk, bn, om, on, bias, step,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    program, down, across = tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = program // (GROUP * across) * GROUP
    height = tl.minimum(GROUP, down - first)
    m = (first + program % (GROUP * across) % height) * BM + tl.arange(0, BM)
    n = program % (GROUP * across) // height * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a += m[:, None] * am + k[None, :] * ak
    b += k[:, None] * bk + n[None, :] * bn
    total = tl.zeros((BM, BN), tl.float32)
    if bias is not None:
        total += tl.load(bias + n * step, mask=n < N, other=0.0).to(tl.float32)[None, :]
    for left in range(K, 0, -BK):
        here = tl.load(a, mask=(m[:, None] < M) & (k[None, :] < left), other=0.0)
        there = tl.load(b, mask=(k[:, None] < left) & (n[None, :] < N), other=0.0)
        total += tl.dot(here, there, input_precision="ieee")
        a += BK * ak
        b += BK * bk
    tl.store(out + m[:, None] * om + n[None, :] * on, total, mask=(m[:, None] < M) & (n[None, :] < N))


def matmul(a, b, out, bias=None):
    M, N = out.shape
    programs = triton.cdiv(M, BM) * triton.cdiv(N, BN)
    step = bias.stride(0) if bias is not None else 0
    product_kernel[(programs,)](
        a, b, out, M, N, a.shape[1], *a.stride(), *b.stride(), *out.stride(), bias, step, BM, BN, BK, GROUP
    )
